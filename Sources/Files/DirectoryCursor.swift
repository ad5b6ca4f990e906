internal import Glibc

/// A place in a directory's list of names, which is read piece by piece however long it is. Names
/// that come or go meanwhile may be met or not.
@safe package struct DirectoryCursor: ~Copyable, Sendable {
  nonisolated(unsafe) private let stream: OpaquePointer

  private init(adopting stream: OpaquePointer) {
    unsafe self.stream = stream
  }

  deinit {
    unsafe closedir(stream)
  }

  /// Starts at the first name. The corresponding C function is `fdopendir`.
  package static func start(
    in directory: borrowing Directory
  ) throws(SystemCallFailure) -> DirectoryCursor {
    let copy = try Descriptor.open(".", in: directory.descriptor, flags: O_RDONLY | O_DIRECTORY)
    let number = copy.release()
    guard let stream = unsafe fdopendir(number) else {
      let failure = SystemCallFailure("fdopendir", path: directory.path)
      close(number)
      throw failure
    }
    return unsafe DirectoryCursor(adopting: stream)
  }

  /// The next name but `.` and `..`; nil at the end. The corresponding C function is `readdir`.
  package mutating func next() throws(SystemCallFailure) -> String? {
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno != 0 { throw SystemCallFailure("readdir") }
        return nil
      }
      let name = unsafe Directory.name(of: entry)
      if name != ".", name != ".." { return name }
    }
  }
}
