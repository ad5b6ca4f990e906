internal import Files
internal import Glibc

/// A payload's file in active/, locked by this process: nobody else touches it until the lock ends,
/// which it does with the process at the latest.
struct Lease: ~Copyable, Sendable {
  let file: Descriptor
  let inode: UInt64
  var name: ActiveName

  var order: DeliveryOrder { DeliveryOrder(nanoseconds: name.delivered, inode: inode) }
}

/// What became of an attempt to get a lease.
enum LeaseAttempt: ~Copyable {
  case taken(Lease)
  /// Another worker has it, or it is gone.
  case elsewhere
  /// Another process holds it at this moment, under the name that was asked for: should it die now,
  /// nobody announces the name again.
  case held
  /// No file that we can read, and why.
  case unusable(String)
}

extension JobDirectory {
  /// Claims a file of incoming/. The path is compared with the open file after the lock and again
  /// after the renaming: else a name that was finished and used again would be claimed twice.
  func claim(
    _ name: PayloadFileName, startedAt: Timestamp
  ) throws(SystemCallFailure) -> LeaseAttempt {
    let file: Descriptor
    do throws(SystemCallFailure) {
      file = try incoming.open(name.text, flags: O_RDONLY | O_NONBLOCK)
    } catch {
      return try Self.judge(error)
    }
    let status = try file.fileStatus()
    guard try file.tryLock() else { return try claimCopy(of: file, status, name, startedAt) }
    guard try incoming.status(of: name.text)?.inode == status.inode else { return .elsewhere }
    guard status.isRegularFile else { return .unusable("it is no regular file") }
    return try take(file, status, name, startedAt)
  }

  /// Moves a locked file of incoming/ to active/; `delivery` is what it, or the file that it was
  /// copied from, was like when it came.
  func take(
    _ file: consuming Descriptor, _ delivery: FileStatus, _ name: PayloadFileName,
    _ startedAt: Timestamp
  ) throws(SystemCallFailure) -> LeaseAttempt {
    let status = try file.fileStatus()
    let arrival = max(Timestamp(nanoseconds: delivery.changed), startedAt)
    let delivered = try takeRememberedDelivery(of: delivery) ?? delivery.changed
    guard let activeName = ActiveName(claiming: name, delivered: delivered, arrival: arrival),
      try move(name.text, from: incoming, to: activeName.text, inode: status.inode)
    else { return .elsewhere }
    // A producer's umask may have let others read it; another user's file stays as it is.
    if status.permissions != JobDirectory.fileMode {
      try? file.setPermissions(JobDirectory.fileMode)
    }
    return .taken(Lease(file: file, inode: status.inode, name: activeName))
  }

  /// Takes over a file of active/ whose worker is gone. The attempt is counted in the name before
  /// any work; a job that was being published is only brought to its end, which is no attempt.
  func recover(
    _ text: String, startedAt: Timestamp
  ) throws(SystemCallFailure) -> LeaseAttempt {
    guard var name = ActiveName(text) else { return .elsewhere }
    let file: Descriptor
    do throws(SystemCallFailure) {
      file = try active.open(text, flags: O_RDONLY | O_NONBLOCK)
    } catch {
      return try Self.judge(error)
    }
    guard try file.tryLock() else { return .elsewhere }
    let inode = try file.fileStatus().inode
    guard try active.status(of: text)?.inode == inode else { return .elsewhere }
    name.arrival = max(name.arrival, startedAt)
    if name.publication == nil { name.attempt += 1 }
    if name.text != text {
      guard try move(text, from: active, to: name.text, inode: inode) else { return .elsewhere }
    }
    return .taken(Lease(file: file, inode: inode, name: name))
  }

  /// Whether no process holds the lease of a file in active/ at this moment.
  func isOrphan(_ text: String) throws(SystemCallFailure) -> Bool {
    do throws(SystemCallFailure) {
      let file = try active.open(text, flags: O_RDONLY | O_NONBLOCK)
      return try file.tryLock()
    } catch {
      if error.number == ENOENT { return false }
      throw error
    }
  }

  /// Renames into active/ and tells whether it was the file we hold.
  private func move(
    _ name: String, from folder: borrowing Directory, to newName: String, inode: UInt64
  ) throws(SystemCallFailure) -> Bool {
    do throws(SystemCallFailure) {
      try folder.rename(name, to: newName, in: active, exclusively: true)
    } catch {
      if error.number == ENOENT || error.number == EEXIST { return false }
      throw error
    }
    return try active.status(of: newName)?.inode == inode
  }

  /// Tells a file that is of no use from a directory that is.
  private static func judge(
    _ failure: SystemCallFailure
  ) throws(SystemCallFailure) -> LeaseAttempt {
    switch failure.number {
    case ENOENT: return .elsewhere
    case EACCES, EPERM: return .unusable("it may not be read")
    case ELOOP: return .unusable("it is a symbolic link")
    case EISDIR, ENXIO, ENODEV: return .unusable("it is no regular file")
    default: throw failure
    }
  }
}
