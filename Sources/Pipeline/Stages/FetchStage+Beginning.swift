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
}

extension SourceRecord {
  /// What the bytes are good for where they are but the beginning of a file; nil where they are all.
  var beginning: FileBeginning? {
    guard key == key.beginning else { return nil }
    return FileBeginning(String(decoding: facts, as: UTF8.self))
  }
}
