internal import Media
internal import SharedCache

extension FetchStage {
  /// What is known of an address that is good for what is wanted: all of the file, or enough of it.
  func lookUp(_ key: SourceKey) -> SourceRecord? {
    if let whole = cache.lookUp(key) { return whole }
    guard let needs, let known = cache.lookUp(key.beginning), let beginning = known.beginning,
      needs.areMet(by: beginning)
    else { return nil }
    return known
  }

  /// The same, unless it came as something else: a page's copy is none of a picture, however often
  /// the origin confirms it.
  func usableCopy(_ key: SourceKey) -> SourceRecord? {
    lookUp(key).flatMap { subject.refusal(of: $0) == nil ? $0 : nil }
  }

  /// The copy that stands in for a picture that cannot be had; else the beginning that was kept for
  /// smaller ones, with what kept the rest away.
  func standIn(of key: SourceKey, for problem: Problem) async -> FetchedPicture? {
    await blocking.run {
      usableCopy(key)?.standIn(for: problem) ?? beginning(of: key, for: problem)
    }
  }

  /// The beginning of a file that was kept for smaller pictures, in place of all that is wanted; nil
  /// where there is none, or the origin forbids using it without asking.
  func beginning(of key: SourceKey, for problem: Problem) -> FetchedPicture? {
    guard let known = cache.lookUp(key.beginning), known.beginning != nil else { return nil }
    return known.standIn(for: problem)?.fallingShort(because: problem)
  }
}

extension SourceRecord {
  /// What the bytes are good for where they are but the beginning of a file; nil where they are all.
  var beginning: FileBeginning? {
    guard key == key.beginning else { return nil }
    return FileBeginning(String(decoding: facts, as: UTF8.self))
  }
}

extension FetchedPicture {
  /// The same where more is wanted than it holds.
  fileprivate func fallingShort(because problem: Problem) -> FetchedPicture {
    var picture = self
    picture.isBeginning = false
    picture.problems = []
    picture.shortfall = problem
    return picture
  }
}

extension FetchedPicture? {
  /// Of two beginnings the one that shows more.
  func orLonger(_ other: FetchedPicture?) -> FetchedPicture? {
    guard let self, let other else { return self ?? other }
    return other.byteCount > self.byteCount ? other : self
  }
}
