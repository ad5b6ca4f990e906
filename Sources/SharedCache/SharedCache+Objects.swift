package import Files

extension SharedCache {
  /// An empty file in the cache's own file system, for a download or a decoder to fill.
  package func makeTemporary() throws(CacheFailure) -> TemporaryObject {
    try settle()
    do throws(CacheFailure) {
      return try objects.makeTemporary()
    } catch {
      guard error.isMissingFolder else { throw error }
      try restore()
      return try objects.makeTemporary()
    }
  }

  /// The same, in memory where the disk is full; then it cannot be published.
  package func makeTemporaryOrHold() throws(CacheFailure) -> TemporaryObject {
    do throws(CacheFailure) {
      return try makeTemporary()
    } catch {
      guard case .diskFull = error else { throw error }
      return try objects.makeTemporaryInMemory()
    }
  }

  /// Gives a filled file its place, named by its content, once its bytes are durable. Publishing
  /// the same bytes again is no failure. Nothing is published when `size` (bytes) differs, when the
  /// disk is full, when a sync fails, when there is no room, or while the index cannot count it.
  package func publish(
    _ temporary: consuming TemporaryObject, as kind: ObjectKind, expecting size: Int? = nil,
    room: RoomRule = .withinLimits, now: Int64 = WallClock.now()
  ) throws(CacheFailure) -> StoredObject {
    guard !isBusy else { throw .indexUnavailable("others are busy with it") }
    let sealed = try objects.seal(temporary, as: kind, expecting: size, now: now)
    let stored = sealed.stored
    try reserve(stored, room, now: now)
    try objects.place(sealed, now: now)
    confirm(stored, now: now)
    return stored
  }

  /// Whether others keep the index so busy that nothing can be entered: what is published uncounted
  /// would go beyond the limits.
  package var isBusy: Bool { index.isBusy }

  /// Publishes a range of an open file, such as one picture of a decoder's output.
  package func publish(
    copying source: borrowing Descriptor, range: Range<Int>, as kind: ObjectKind,
    room: RoomRule = .withinLimits, now: Int64 = WallClock.now()
  ) throws(CacheFailure) -> StoredObject {
    let temporary = try makeTemporary()
    try objects.fill(temporary, from: source, range: range)
    return try publish(temporary, as: kind, expecting: range.count, room: room, now: now)
  }

  /// Opens an object for reading. Throws `missing`, or `damaged` once it has been set aside: both
  /// mean fetching anew.
  package func open(
    _ name: ObjectName, now: Int64 = WallClock.now()
  ) throws(CacheFailure) -> Descriptor {
    settleIfPossible()
    do throws(CacheFailure) {
      let file = try objects.open(name)
      index.markUsed(name, now: now)
      return file
    } catch {
      forgetLost(name, error)
      throw error
    }
  }

  /// Gives a consumer a file of its own (contract §4) under a name that must be free in `folder`.
  /// The file is durable, its name is the caller's to sync. Throws as `open`.
  package func link(
    _ name: ObjectName, into folder: borrowing Directory, as newName: String
  ) throws(CacheFailure) -> LinkMethod {
    do throws(CacheFailure) {
      return try objects.link(name, into: folder, as: newName)
    } catch {
      forgetLost(name, error)
      throw error
    }
  }

  /// Keeps objects until a time (`--keep-published`), even above the size limit.
  package func keepPublished(_ names: [ObjectName], until: Int64) throws(CacheFailure) {
    try index.publish(names, until: until)
  }

  private func forgetLost(_ name: ObjectName, _ failure: CacheFailure) {
    switch failure {
    // A row that stays costs another miss.
    case .missing, .damaged: try? index.forget(name)
    default: break
    }
  }
}
