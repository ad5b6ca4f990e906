internal import CSystemShims

extension Directory {
  /// The magic number of the file system that holds the directory (linux/magic.h). The corresponding
  /// C function is `fstatfs`.
  package borrowing func fileSystemType() throws(SystemCallFailure) -> Int {
    let number = descriptor.number
    return try retryingOnInterrupt("fstatfs") { csystem_file_system_type(number) }
  }
}
