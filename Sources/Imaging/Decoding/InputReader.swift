internal import Glibc

/// Reads an input at any offset through a small window, so that a walk over headers costs few system
/// calls and no memory. The descriptor stays its owner's.
struct InputReader {
  let input: Int32
  /// Bytes of the whole input.
  let size: Int
  private var window: [UInt8] = []
  private var windowStart = 0

  private static let windowBytes = 2048

  /// The corresponding C function is `lseek`: a confined child may not call `fstat`.
  init(_ input: Int32) throws(DecodeFailure) {
    let size = lseek(input, 0, SEEK_END)
    guard size >= 0 else { throw .inputOutput("lseek: errno \(errno)") }
    self.input = input
    self.size = size
  }

  /// The byte at `offset`; nil past the end.
  mutating func byte(at offset: Int) throws(DecodeFailure) -> UInt8? {
    guard offset >= 0, offset < size else { return nil }
    if offset < windowStart || offset >= windowStart + window.count {
      window = try InputReader.read(input, at: offset, count: min(Self.windowBytes, size - offset))
      windowStart = offset
    }
    let index = offset - windowStart
    return index < window.count ? window[index] : nil
  }

  /// An unsigned number of at most four bytes; nil where it does not lie in the input.
  mutating func unsigned(
    at offset: Int, bytes count: Int, _ order: ByteOrder
  ) throws(DecodeFailure) -> Int? {
    var value = 0
    for index in 0..<count {
      guard let byte = try byte(at: offset + index) else { return nil }
      value = order.appending(byte, at: index, to: value)
    }
    return value
  }

  /// `count` bytes from `offset` on; nil where they do not all lie in the input. The caller bounds
  /// `count`.
  func bytes(at offset: Int, count: Int) throws(DecodeFailure) -> [UInt8]? {
    guard offset >= 0, count >= 0, offset <= size, count <= size - offset else { return nil }
    let bytes = try InputReader.read(input, at: offset, count: count)
    return bytes.count == count ? bytes : nil
  }

  /// The corresponding C function is `pread`.
  private static func read(
    _ input: Int32, at offset: Int, count: Int
  ) throws(DecodeFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let start = filled
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(input, buffer.baseAddress?.advanced(by: start), count - start, offset + start)
      }
      if got == 0 { break }
      if got < 0, errno != EINTR { throw .inputOutput("pread: errno \(errno)") }
      filled += max(0, got)
    }
    bytes.removeLast(count - filled)
    return bytes
  }
}
