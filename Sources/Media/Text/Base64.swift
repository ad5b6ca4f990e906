/// Base64 in both alphabets (RFC 4648 §4 and §5).
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// With padding, in the alphabet of §4.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = (0..<3).reduce(UInt32(0)) { bits, index in
        bits << 8 | UInt32(index < group.count ? group[start + index] : 0)
      }
      for index in 0..<4 {
        let digit = Int(bits >> UInt32(18 - 6 * index) & 63)
        text.append(index <= group.count ? alphabet[digit] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes meant, white space and missing padding forgiven as browsers do; nil for anything else.
  package static func decode(_ text: [UInt8]) -> [UInt8]? {
    var digits = text.filter { !($0 == 0x20 || (0x09...0x0d).contains($0)) }[...]
    if digits.count % 4 == 0 {
      for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    guard digits.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 2)
    var group: UInt32 = 0
    var held = 0
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      group = group << 6 | UInt32(value)
      held += 6
      if held >= 8 {
        held -= 8
        bytes.append(UInt8(truncatingIfNeeded: group >> held))
      }
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 65...90: digit - 65
    case 97...122: digit - 71
    case 48...57: digit + 4
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
