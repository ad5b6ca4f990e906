/// A page made fit for libxml2. Start tags are cut where they hold more attributes than any page needs:
/// it compares each attribute with all before it, which takes seconds of a tag of a hundred thousand.
/// In titles and text areas a tag is text (HTML, 13.2.5.2, RCDATA state), which it does not know; nor
/// does it know most named references.
package struct PageRepairs {
  /// Attributes of one tag that are kept.
  static let mostAttributes = 256
  /// The longest name that libxml2 takes as one (HTML_PARSER_BUFFER_SIZE).
  private static let longestName = 100

  private let source: [UInt8]
  private var position = 0
  private var result: [UInt8] = []
  private var copied = 0
  /// Whether what is passed over is left out.
  private var isCutting = false
  private var missing: Set<String> = []
  /// Bytes looked at, for tests.
  private(set) var steps = 0

  private init(_ source: [UInt8]) {
    self.source = source
  }

  /// The page, its tags bounded; and how many bytes were looked at for it.
  package static func bounded(_ page: [UInt8]) -> (page: [UInt8], steps: Int) {
    var bounds = PageRepairs(page)
    bounds.walk()
    return (bounds.copied == 0 ? page : bounds.finished(), bounds.steps)
  }

  private mutating func finished() -> [UInt8] {
    result += source[copied...]
    return result
  }

  private var current: UInt8? { position < source.count ? source[position] : nil }

  private mutating func advance() {
    position += 1
    steps += 1
  }

  private mutating func skip(while condition: (UInt8) -> Bool) {
    while let byte = current, condition(byte) { advance() }
  }

  private mutating func walk() {
    while let byte = current {
      advance()
      if byte == UInt8(ascii: "&") { resolve(inAttribute: false) }
      guard byte == UInt8(ascii: "<") else { continue }
      if source[position...].starts(with: [0x21, 0x2D, 0x2D]) {
        skip(past: "-->")
      } else if current?.isLetter == true {
        walkTag()
      }
    }
  }

  private mutating func walkTag() {
    let start = position
    skip { $0.isName }
    let nameLength = position - start
    let name = String(decoding: source[start..<min(position, start + 8)], as: UTF8.self)
    var attributes = 0
    skip { $0.isBlank }
    while let byte = current, byte != UInt8(ascii: ">") {
      attributes += 1
      if attributes > Self.mostAttributes { return cutTag() }
      walkAttribute()
      skip { $0.isBlank }
    }
    let isEmpty = position > 0 && source[position - 1] == UInt8(ascii: "/")
    let lowercased = name.lowercased()
    if !isEmpty, lowercased == "script" || lowercased == "style" { skip(past: "</" + lowercased) }
    if nameLength == lowercased.utf8.count, lowercased == "title" || lowercased == "textarea" {
      repairText(until: "</" + lowercased)
    }
  }

  /// Writes `&lt;` for each `<` before the mark, and resolves references; nothing changes where the mark
  /// is missing.
  private mutating func repairText(until mark: String) {
    guard !missing.contains(mark) else { return }
    let start = position
    guard skip(past: mark) else {
      // Looked for once: a page of unclosed titles must not cost the square of its length.
      missing.insert(mark)
      position = start
      return
    }
    let (end, behind) = (position - mark.utf8.count, position)
    position = start
    while position < end {
      let byte = source[position]
      if byte == UInt8(ascii: "<") { replace(1, at: position, by: Array("&lt;".utf8)) }
      position += 1
      if byte == UInt8(ascii: "&") { resolve(inAttribute: false) }
    }
    position = behind
  }

  /// Writes the characters of the named reference whose ampersand has just been passed.
  private mutating func resolve(inAttribute isAttribute: Bool) {
    guard !isCutting,
      let (text, length) = NamedReferences.match(
        source[position...], inAttribute: isAttribute)
    else { return }
    replace(length + 1, at: position - 1, by: NamedReferences.written(text))
    position += length
    steps += length
  }

  private mutating func replace(_ count: Int, at place: Int, by bytes: [UInt8]) {
    result += source[copied..<place]
    result += bytes
    copied = place + count
  }

  private mutating func walkAttribute() {
    guard let byte = current, byte.isNameStart else {
      advance()
      return skip { !$0.isBlank && $0 != UInt8(ascii: ">") }
    }
    let end = position + Self.longestName
    while position < end, current?.isName == true { advance() }
    skip { $0.isBlank }
    guard current == UInt8(ascii: "=") else { return }
    advance()
    skip { $0.isBlank }
    if let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      advance()
      walkValue { $0 != quote }
      if current != nil { advance() }
    } else {
      walkValue { !$0.isBlank && $0 != UInt8(ascii: ">") }
    }
  }

  private mutating func walkValue(while condition: (UInt8) -> Bool) {
    while let byte = current, condition(byte) {
      advance()
      if byte == UInt8(ascii: "&") { resolve(inAttribute: true) }
    }
  }

  /// Ends the tag here, and leaves out what is left of it.
  private mutating func cutTag() {
    result += source[copied..<position]
    result.append(UInt8(ascii: ">"))
    isCutting = true
    while let byte = current, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "<") {
      walkAttribute()
      skip { $0.isBlank }
    }
    if current == UInt8(ascii: ">") { advance() }
    copied = position
    isCutting = false
  }

  /// To behind a mark in any case, or to the end, which is false.
  @discardableResult
  private mutating func skip(past mark: String) -> Bool {
    let mark = Array(mark.utf8)
    while position < source.count {
      let piece = source[position...].prefix(mark.count)
      if piece.count == mark.count, zip(piece, mark).allSatisfy({ $0.lowercased == $1 }) {
        position += mark.count
        steps += mark.count
        return true
      }
      advance()
    }
    return false
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (0x41...0x5A).contains(self & 0xDF) }
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
  fileprivate var isNameStart: Bool { isLetter || "_:.".utf8.contains(self) }
  fileprivate var isName: Bool {
    isLetter || (0x30...0x39).contains(self) || "_:.-".utf8.contains(self)
  }
  fileprivate var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
