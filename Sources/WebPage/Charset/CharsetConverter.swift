internal import Glibc

/// One conversion to UTF-8, in iconv's hands.
@safe
struct CharsetConverter: ~Copyable {
  private let descriptor: iconv_t
  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
  private static let room = 16 << 10

  /// Nil where the system has no such converter. The corresponding C function is `iconv_open`.
  init?(_ charset: Charset) {
    guard let descriptor = unsafe Self.open(charset) else { return nil }
    unsafe self.descriptor = descriptor
  }

  deinit {
    unsafe iconv_close(descriptor)
  }

  /// Loads every converter for good: none can be once file access is denied.
  static func loadAll() {
    for charset in Charset.allCases where charset.isConvertedByLibrary {
      // Never closed: the last close would unload the converter.
      _ = unsafe open(charset)
    }
  }

  /// The text in UTF-8; each byte that has no meaning becomes U+FFFD.
  borrowing func convert(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 2)
    var bytes = bytes
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { source in
        var start = source.baseAddress
        var left = source.count
        while left > 0 {
          guard unsafe !step(&start, &left, &output) else { continue }
          output += Self.replacement
          unsafe start = start?.advanced(by: 1)
          left -= 1
        }
        // Some converters hold the last character back, for an accent that may follow.
        var (nothing, none): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        _ = unsafe step(&nothing, &none, &output)
      }
    }
    return output
  }

  /// Converts up to a bufferful; false at a byte that has no meaning.
  private borrowing func step(
    _ start: inout UnsafeMutablePointer<CChar>?, _ left: inout Int, _ output: inout [UInt8]
  ) -> Bool {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Self.room) { space in
      var end = space.baseAddress
      var free = space.count
      let result = unsafe iconv(descriptor, &start, &left, &end, &free)
      let failure = errno
      for index in 0..<(space.count - free) {
        output.append(UInt8(bitPattern: unsafe space[index]))
      }
      return result != -1 || failure == E2BIG
    }
  }

  private static func open(_ charset: Charset) -> iconv_t? {
    let descriptor = unsafe iconv_open("UTF-8", charset.rawValue)
    // (iconv_t)-1
    return unsafe Int(bitPattern: descriptor) == -1 ? nil : descriptor
  }
}
