internal import Files
internal import Glibc

// Handing back renames a payload, and so changes the time that tells it from later payloads of its
// id. The first time is kept beside, under the file's inode number, together with the changed time,
// which proves that it is still that file.

extension JobDirectory {
  /// To be called while the lease is held.
  func rememberDelivery(of lease: borrowing Lease) throws(SystemCallFailure) {
    let changed = try lease.file.fileStatus().changed
    let name = String(lease.inode)
    try handedBack.remove(name)
    try handedBack.makeSymbolicLink(name, to: "\(changed).\(lease.name.delivered)")
  }

  /// When a payload that was handed back had been delivered, in nanoseconds since 1970.
  func takeRememberedDelivery(of status: FileStatus) throws(SystemCallFailure) -> Int64? {
    let name = String(status.inode)
    guard let target = try handedBack.symbolicLinkTarget(of: name) else { return nil }
    let numbers = target.split(separator: ".").compactMap { Int64($0) }
    try handedBack.remove(name)
    return numbers.count == 2 && numbers[0] == status.changed ? numbers[1] : nil
  }
}
