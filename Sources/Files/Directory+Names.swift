internal import Glibc

extension Directory {
  /// Calls `body` with each name here but `.` and `..`, in no order, until it answers false. The
  /// corresponding C function is `readdir`.
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
      let name = unsafe Self.name(of: entry)
      if name == "." || name == ".." { continue }
      if !body(name) { return }
    }
  }

  static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    let capacity = unsafe MemoryLayout.size(ofValue: entry.pointee.d_name)
    return unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
      unsafe name.withMemoryRebound(to: CChar.self, capacity: capacity) {
        unsafe FileName.text(
          UnsafeBufferPointer(start: $0, count: strlen($0)).map { UInt8(bitPattern: $0) })
      }
    }
  }
}
