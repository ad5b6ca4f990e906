internal import Glibc

/// The descriptor that renditions are written to, one after the other.
struct OutputFile {
  let descriptor: Int32
  private var offset = 0

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Writes `bytes` and tells where they lie. The corresponding C function is `write`.
  mutating func append(_ bytes: [UInt8]) throws(DecodeFailure) -> Range<Int> {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(descriptor, buffer.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw .inputOutput("write: \(unsafe String(cString: strerror(errno)))")
      }
      written += count
    }
    defer { offset += bytes.count }
    return offset..<offset + bytes.count
  }

  /// Has `body` write a GIF as it is made, and tells where it lies. What `body` did not bring to an
  /// end is written over by what follows. The corresponding C function is `lseek`.
  mutating func appendGIF<Result>(
    _ body: (GIFSink) throws(DecodeFailure) -> Result?
  ) throws(DecodeFailure) -> (result: Result, bytes: Range<Int>)? {
    let sink = GIFSink(descriptor: descriptor)
    var isKept = false
    defer { if !isKept { lseek(descriptor, -sink.passedOn, SEEK_CUR) } }
    guard let result = try body(sink) else { return nil }
    try sink.finish()
    isKept = true
    defer { offset += sink.count }
    return (result, offset..<offset + sink.count)
  }
}
