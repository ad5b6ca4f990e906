/// JSON as pages write it, made into JSON: without comments and the wrappings of old scripts between
/// values, commas before a closing bracket, needless backslashes, and control characters in strings.
struct LenientJSON {
  private static let marks = ["<!--", "-->", "<![CDATA[", "]]>"].map { Array($0.utf8) }

  private let source: [UInt8]
  private var position = 0
  private var result: [UInt8] = []
  /// Where a comma lies in the result after which nothing but white space has come.
  private var lastComma: Int?

  private init(_ source: [UInt8]) {
    self.source = source
    result.reserveCapacity(source.count)
  }

  /// The text in strict form, as far as it can be; one pass over it.
  static func normalized(_ bytes: [UInt8]) -> [UInt8] {
    var text = LenientJSON(bytes)
    while text.position < bytes.count { text.step() }
    return text.result
  }

  private mutating func step() {
    let byte = source[position]
    switch byte {
    case UInt8(ascii: "\""): copyString()
    case UInt8(ascii: "/"): skipComment()
    case UInt8(ascii: "<"), UInt8(ascii: "-"), UInt8(ascii: "]"):
      if let mark = Self.marks.first(where: { source[position...].starts(with: $0) }) {
        position += mark.count
      } else {
        copy(byte)
      }
    default: copy(byte)
    }
  }

  private mutating func copy(_ byte: UInt8) {
    position += 1
    if byte <= 0x20 { return result.append(0x20) }
    if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]"), let lastComma {
      result[lastComma] = 0x20
    }
    lastComma = byte == UInt8(ascii: ",") ? result.count : nil
    result.append(byte)
  }

  /// `//` to the line's end, or `/*` to `*/`.
  private mutating func skipComment() {
    let rest = source[position...].dropFirst()
    switch rest.first {
    case UInt8(ascii: "/"):
      position = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? source.count
    case UInt8(ascii: "*"):
      position = rest.startIndex + 1
      while position < source.count, !source[position...].starts(with: [0x2A, 0x2F]) {
        position += 1
      }
      position = min(source.count, position + 2)
    default: copy(source[position])
    }
  }

  private mutating func copyString() {
    lastComma = nil
    result.append(source[position])
    position += 1
    while position < source.count {
      let byte = source[position]
      position += 1
      if byte == UInt8(ascii: "\\") {
        copyEscape()
      } else {
        result.append(max(byte, 0x20))
        if byte == UInt8(ascii: "\"") { return }
      }
    }
  }

  /// A backslash before what needs none is left out, as JavaScript does.
  private mutating func copyEscape() {
    guard position < source.count else { return }
    let byte = source[position]
    position += 1
    if "\"\\/bfnrtu".utf8.contains(byte) { result.append(UInt8(ascii: "\\")) }
    result.append(max(byte, 0x20))
  }
}
