internal import CZLib

/// Bytes in gzip (RFC 1952), undone piece by piece: memory does not grow with what comes out.
enum GzipData {
  private static let room = 256 << 10

  static func begins(_ bytes: RawSpan) -> Bool {
    guard bytes.byteCount > 2 else { return false }
    return unsafe bytes.withUnsafeBytes { unsafe $0[0] == 0x1F && $0[1] == 0x8B }
  }

  /// Hands over what comes out until `body` says false; several members count as one. False where
  /// the data are damaged or end early. The corresponding C function is `inflate`.
  static func decode(_ bytes: RawSpan, _ body: ([UInt8]) -> Bool) -> Bool {
    var stream = unsafe z_stream()
    guard unsafe czlib_begin(&stream, 15 + 16) == Z_OK else { return false }
    defer { unsafe inflateEnd(&stream) }
    return unsafe bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return false }
      // zlib does not write through its input pointer.
      unsafe stream.next_in = unsafe UnsafeMutablePointer(
        mutating: start.assumingMemoryBound(to: UInt8.self))
      unsafe stream.avail_in = UInt32(clamping: source.count)
      return unsafe run(&stream, body)
    }
  }

  private static func run(_ stream: inout z_stream, _ body: ([UInt8]) -> Bool) -> Bool {
    var piece = [UInt8](repeating: 0, count: room)
    while true {
      let result = unsafe piece.withUnsafeMutableBufferPointer { buffer in
        unsafe stream.next_out = buffer.baseAddress
        unsafe stream.avail_out = UInt32(buffer.count)
        return unsafe inflate(&stream, Z_NO_FLUSH)
      }
      let count = room - Int(unsafe stream.avail_out)
      if count > 0, !body(Array(piece[..<count])) { return true }
      switch result {
      case Z_OK: continue
      case Z_STREAM_END:
        // Padding may follow the last member.
        guard unsafe stream.avail_in > 18, unsafe inflateReset(&stream) == Z_OK else { return true }
      default: return false
      }
    }
  }
}
