/// Base64 in both alphabets (RFC 4648 §4 and §5).
enum Base64 {
  /// The bytes meant, white space and missing padding forgiven as browsers do; nil for anything else.
  static func decode(_ text: [UInt8]) -> [UInt8]? {
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
