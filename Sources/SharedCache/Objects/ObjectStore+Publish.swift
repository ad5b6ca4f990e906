internal import Files
internal import Glibc

/// A temporary file that is whole, durable and named, but not yet in its place.
struct SealedObject: ~Copyable {
  let temporary: TemporaryObject
  let stored: StoredObject
}

extension ObjectStore {
  func makeTemporary() throws(CacheFailure) -> TemporaryObject {
    try inCache { () throws(SystemCallFailure) in try TemporaryObject.create(in: root) }
  }

  func makeTemporaryInMemory() throws(CacheFailure) -> TemporaryObject {
    try inCache { () throws(SystemCallFailure) in try TemporaryObject.inMemory(beside: root) }
  }

  /// Copies a range of `source` into a temporary file.
  func fill(
    _ temporary: borrowing TemporaryObject, from source: borrowing Descriptor, range: Range<Int>
  ) throws(CacheFailure) {
    let copied: Int
    do throws(SystemCallFailure) {
      copied = try source.forEachPiece(from: range.lowerBound, count: range.count) {
        piece throws(SystemCallFailure) in
        try temporary.descriptor.write(piece)
      }
    } catch {
      throw CacheFailure(error)
    }
    guard copied == range.count else {
      throw .wrongSize(expected: range.count, actual: copied)
    }
  }

  /// Makes a temporary file's bytes durable and tells the name they will have. A file whose sync
  /// failed is dropped: the kernel has forgotten which pages were dirty.
  func seal(
    _ temporary: consuming TemporaryObject, as kind: ObjectKind, expecting size: Int?, now: Int64
  ) throws(CacheFailure) -> SealedObject {
    if try inCache({ () throws(SystemCallFailure) in try temporary.isInMemory() }) {
      throw .diskFull("the bytes are held in memory")
    }
    let (hash, bytes) = try inCache { () throws(SystemCallFailure) in
      try temporary.descriptor.contentHash()
    }
    guard let hash else { throw .systemCall(SystemCallFailure("EVP_Digest", number: ENOMEM)) }
    if let size, size != bytes { throw .wrongSize(expected: size, actual: bytes) }
    do throws(SystemCallFailure) {
      try temporary.descriptor.setPermissions(CacheLayout.objectMode)
      try temporary.descriptor.setModified(milliseconds: now)
      try temporary.descriptor.sync()
    } catch {
      throw CacheFailure(error)
    }
    return SealedObject(
      temporary: temporary, stored: StoredObject(name: kind.name(for: hash), bytes: bytes))
  }

  /// Gives a sealed object its name, durably. One that is there already is kept when it is whole,
  /// and made young, so that no eviction takes it from under the caller.
  func place(_ sealed: consuming SealedObject, now: Int64) throws(CacheFailure) {
    let name = sealed.stored.name
    guard let temporaryName = sealed.temporary.name else {
      throw .diskFull("the bytes are held in memory")
    }
    while true {
      do throws(SystemCallFailure) {
        let status = try sealed.temporary.descriptor.fileStatus()
        let shard = try shard(of: name)
        try sealed.temporary.folder.rename(
          temporaryName, to: name.fileName, in: shard, exclusively: true)
        try shard.sync()
        remember(name, status)
        return
      } catch {
        guard error.number == EEXIST else { throw CacheFailure(error) }
      }
      if try keepExisting(name, now: now) { return }
    }
  }

  /// Whether a whole object of this name is there; a damaged one is set aside.
  private func keepExisting(_ name: ObjectName, now: Int64) throws(CacheFailure) -> Bool {
    do throws(CacheFailure) {
      let file = try open(name)
      // Another user's file of the group cannot be touched; its row in the index is young anyway.
      try? file.setModified(milliseconds: now)
      if let status = try? file.fileStatus() { remember(name, status) }
      return true
    } catch {
      switch error {
      case .missing, .damaged: return false
      default: throw error
      }
    }
  }
}
