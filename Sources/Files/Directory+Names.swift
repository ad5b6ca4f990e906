internal import Glibc

extension Directory {
  /// Calls `body` with each name here but `.` and `..`, in no order, until it answers false. Names
  /// that are not UTF-8 are passed over. The corresponding C function is `readdir`.
  package borrowing func forEachName(
    _ body: (String) -> Bool
  ) throws(SystemCallFailure) {
    let copy = try Descriptor.open(".", in: descriptor, flags: O_RDONLY | O_DIRECTORY)
    let number = copy.release()
    guard let stream = unsafe fdopendir(number) else {
      let failure = SystemCallFailure("fdopendir", path: path)
      close(number)
      throw failure
    }
    defer { unsafe closedir(stream) }
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno != 0 { throw SystemCallFailure("readdir", path: path) }
        return
      }
      guard let name = unsafe Self.name(of: entry), name != ".", name != ".." else { continue }
      if !body(name) { return }
    }
  }

  static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
    let capacity = unsafe MemoryLayout.size(ofValue: entry.pointee.d_name)
    return unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
      unsafe name.withMemoryRebound(to: CChar.self, capacity: capacity) {
        unsafe String(validatingCString: $0)
      }
    }
  }
}
