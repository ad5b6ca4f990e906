/// Bytes to `%XX` and back.
enum PercentEncoding {
  /// WHATWG URL's path percent-encode set; what is encoded already stays as it is.
  static func path(_ bytes: some Collection<UInt8>) -> String {
    encode(bytes, escaping: pathSet)
  }

  /// WHATWG URL's special-query percent-encode set.
  static func query(_ bytes: some Collection<UInt8>) -> String {
    encode(bytes, escaping: querySet)
  }

  /// The bytes meant; a percent sign without two digits stands for itself.
  static func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var iterator = bytes.makeIterator()
    var pending: [UInt8] = []
    while let byte = pending.popLast() ?? iterator.next() {
      guard byte == UInt8(ascii: "%") else {
        result.append(byte)
        continue
      }
      let high = pending.popLast() ?? iterator.next()
      let low = high == nil ? nil : pending.popLast() ?? iterator.next()
      if let high, let low, let upper = digit(high), let lower = digit(low) {
        result.append(upper << 4 | lower)
      } else {
        result.append(byte)
        if let low { pending.append(low) }
        if let high { pending.append(high) }
      }
    }
    return result
  }

  private static let pathSet = Set("\"#<>?`{}^".utf8)
  private static let querySet = Set("\"#<>'".utf8)
  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func encode(_ bytes: some Collection<UInt8>, escaping set: Set<UInt8>) -> String {
    var result: [UInt8] = []
    for byte in bytes {
      if byte <= 0x20 || byte >= 0x7f || set.contains(byte) {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }
}
