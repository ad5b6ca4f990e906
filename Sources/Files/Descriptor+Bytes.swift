internal import CSystemShims
internal import Glibc

extension Descriptor {
  /// The file's size in bytes. The corresponding C function is `fstat`.
  package borrowing func size() throws(SystemCallFailure) -> Int {
    Int(try status().st_size)
  }

  /// The file's permission bits. The corresponding C function is `fstat`.
  package borrowing func permissions() throws(SystemCallFailure) -> Int {
    Int(try status().st_mode & 0o7777)
  }

  /// What the kernel tells of the open file. The corresponding C function is `fstat`.
  borrowing func status() throws(SystemCallFailure) -> stat {
    let number = number
    var status = stat()
    _ = try retryingOnInterrupt("fstat") { unsafe fstat(number, &status) }
    return status
  }

  /// Writes all bytes at the current offset. The corresponding C function is `write`.
  package borrowing func write(_ bytes: borrowing RawSpan) throws(SystemCallFailure) {
    let number = number
    var written = 0
    while written < bytes.byteCount {
      let rest = bytes.extracting(written...)
      written += try retryingOnInterrupt("write") {
        unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      }
    }
  }

  /// Writes all bytes at the current offset. The corresponding C function is `write`.
  package borrowing func write(_ bytes: [UInt8]) throws(SystemCallFailure) {
    try unsafe write(bytes.span.bytes)
  }

  /// Reads at most `count` bytes at `offset`, fewer at the end. The corresponding C function is
  /// `pread`.
  package borrowing func read(
    at offset: Int, count: Int
  ) throws(SystemCallFailure) -> [UInt8] {
    let number = number
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let start = filled
      let got = try retryingOnInterrupt("pread") {
        unsafe bytes.withUnsafeMutableBytes { buffer in
          unsafe pread(
            number, buffer.baseAddress?.advanced(by: start), count - start, offset + start)
        }
      }
      if got == 0 { break }
      filled += got
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  /// All bytes from the current offset on, up to `limit`; nil when there are more. Reads pipes too.
  package borrowing func readToEnd(limit: Int) throws(SystemCallFailure) -> [UInt8]? {
    let number = number
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let got = try retryingOnInterrupt("read") {
        unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(number, $0.baseAddress, $0.count) }
      }
      if got == 0 { return bytes }
      guard got <= limit - bytes.count else { return nil }
      bytes.append(contentsOf: chunk[..<got])
    }
  }

  /// Makes the file's bytes durable. After a failure the file must be written anew, never synced
  /// again: the kernel has forgotten which pages were dirty. The corresponding C function is `fsync`.
  package borrowing func sync() throws(SystemCallFailure) {
    let number = number
    _ = try retryingOnInterrupt("fsync") { fsync(number) }
  }

  /// Has the kernel begin to write the file's bytes, so that one commit of the file system takes in
  /// several files; `sync` must still follow. The corresponding C function is `sync_file_range`.
  package borrowing func startWriting() {
    // A file system that cannot writes when `sync` says so.
    _ = csystem_start_writing(number)
  }
}
