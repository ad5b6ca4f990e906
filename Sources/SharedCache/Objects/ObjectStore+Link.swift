internal import Files
internal import Glibc

extension ObjectStore {
  /// Gives a consumer a file of its own name in `folder`: a hard link where the file system allows,
  /// else a reflink or a copy, 0440 and durable. The name in `folder` is the caller's to sync.
  func link(
    _ name: ObjectName, into folder: borrowing Directory, as newName: String
  ) throws(CacheFailure) -> LinkMethod {
    let file = try open(name)
    do throws(SystemCallFailure) {
      try root.link(name.relativePath, to: newName, in: folder)
      return .hardLink
    } catch {
      switch error.number {
      case EXDEV, EMLINK, EPERM, EOPNOTSUPP, ENOSYS: break
      // Evicted since it was opened: the open file still has the bytes.
      case ENOENT: break
      default: throw CacheFailure(error)
      }
    }
    return try copy(file, into: folder, as: newName)
  }

  private func copy(
    _ file: borrowing Descriptor, into folder: borrowing Directory, as newName: String
  ) throws(CacheFailure) -> LinkMethod {
    do throws(SystemCallFailure) {
      let target = try folder.open(newName, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o440)
      do throws(SystemCallFailure) {
        return try fill(target, from: file)
      } catch {
        try? folder.remove(newName)
        throw error
      }
    } catch {
      throw CacheFailure(error)
    }
  }

  private func fill(
    _ target: borrowing Descriptor, from file: borrowing Descriptor
  ) throws(SystemCallFailure) -> LinkMethod {
    try target.setPermissions(CacheLayout.objectMode)
    let isShared = target.clone(from: file)
    if !isShared {
      let size = try file.size()
      let copied = try file.forEachPiece(from: 0, count: size) { piece throws(SystemCallFailure) in
        try target.write(piece)
      }
      guard copied == size else { throw SystemCallFailure("pread", number: EIO) }
    }
    try target.sync()
    return isShared ? .reflink : .copy
  }
}
