internal import Glibc

extension Directory {
  /// Bytes of a block of the file system. The corresponding C function is `fstatvfs`.
  package borrowing func blockBytes() throws(SystemCallFailure) -> Int {
    let number = descriptor.number
    var status = statvfs()
    _ = try retryingOnInterrupt("fstatvfs") { unsafe fstatvfs(number, &status) }
    return Int(clamping: status.f_bsize)
  }

  /// Bytes that this user may still write to the file system. The corresponding C function is
  /// `fstatvfs`.
  package borrowing func freeBytes() throws(SystemCallFailure) -> Int {
    let number = descriptor.number
    var status = statvfs()
    _ = try retryingOnInterrupt("fstatvfs") { unsafe fstatvfs(number, &status) }
    let blockSize = status.f_frsize > 0 ? status.f_frsize : status.f_bsize
    let (bytes, overflow) = status.f_bavail.multipliedReportingOverflow(by: blockSize)
    return overflow ? .max : Int(clamping: bytes)
  }
}
