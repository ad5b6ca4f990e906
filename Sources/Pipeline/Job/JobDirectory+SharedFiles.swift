internal import Files
internal import Glibc
internal import Media

// A lease is a lock on a file, not on its name. Payloads that are hard links to one file would wait
// for each other; a name whose file is held under another name gets a file of its own.

extension JobDirectory {
  /// Claims a name whose file another lease holds, by giving it a copy. A file that has this one
  /// name is being claimed by somebody else, and is left to them.
  func claimCopy(
    of file: borrowing Descriptor, _ status: FileStatus, _ name: PayloadFileName,
    _ startedAt: Timestamp
  ) throws(SystemCallFailure) -> LeaseAttempt {
    guard status.isRegularFile, try incoming.status(of: name.text)?.inode == status.inode
    else { return .elsewhere }
    guard status.links > 1, status.size <= Payload.mostBytes else { return .held }
    let bytes = try file.read(at: 0, count: status.size)
    let temporary = ".\(Token.make())"
    let copy = try temporaries.open(
      temporary, flags: O_RDWR | O_CREAT | O_EXCL, mode: Self.fileMode)
    do throws(SystemCallFailure) {
      guard try fill(copy, bytes), try substitute(temporary, for: name.text, inode: status.inode)
      else {
        try temporaries.remove(temporary)
        return .held
      }
    } catch {
      try? temporaries.remove(temporary)
      throw error
    }
    return try take(copy, status, name, startedAt)
  }

  private func fill(
    _ copy: borrowing Descriptor, _ bytes: [UInt8]
  ) throws(SystemCallFailure) -> Bool {
    guard try copy.tryLock() else { return false }
    try copy.write(bytes)
    try copy.sync()
    return true
  }

  /// Puts a file of tmp/ in the place of a name that stands for `inode`; false when the name stood
  /// for something else by then, which keeps it.
  private func substitute(
    _ temporary: String, for name: String, inode: UInt64
  ) throws(SystemCallFailure) -> Bool {
    do throws(SystemCallFailure) {
      try temporaries.exchange(temporary, with: name, in: incoming)
    } catch {
      if error.number == ENOENT { return false }
      throw error
    }
    guard try temporaries.status(of: temporary)?.inode == inode else {
      // A producer put a newer payload there this very moment.
      try temporaries.rename(temporary, to: name, in: incoming)
      return false
    }
    try temporaries.remove(temporary)
    return true
  }
}
