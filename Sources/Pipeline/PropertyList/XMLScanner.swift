/// The little of XML 1.0 that property lists use, in UTF-8.
struct XMLScanner {
  struct Tag: Equatable {
    enum Kind { case start, end, empty }

    var name: String
    var kind: Kind

    static func end(_ name: String) -> Tag { Tag(name: name, kind: .end) }
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// The next tag, nil at the end; only white space, comments, declarations and instructions may
  /// stand before it.
  mutating func nextTag() throws(PropertyListFailure) -> Tag? {
    while position < bytes.count {
      if bytes[position].isWhiteSpace {
        position += 1
      } else if take("<!--") {
        try skip(past: "-->")
      } else if take("<?") {
        try skip(past: "?>")
      } else if take("<!DOCTYPE") {
        try skipDocumentType()
      } else if take("<") {
        return try readTag()
      } else {
        throw PropertyListFailure("text outside an element")
      }
    }
    return nil
  }

  /// Character data up to the next tag, its references replaced (XML 1.0 §4.1, §4.6).
  mutating func readText() throws(PropertyListFailure) -> String {
    var text: [UInt8] = []
    while position < bytes.count {
      if take("<!--") {
        try skip(past: "-->")
      } else if take("<![CDATA[") {
        let start = position
        try skip(past: "]]>")
        text += bytes[start..<(position - 3)]
      } else if bytes[position] == UInt8(ascii: "<") {
        return String(decoding: text, as: UTF8.self)
      } else if take("&") {
        text += Array(String(try readReference()).utf8)
      } else {
        text.append(bytes[position])
        position += 1
      }
    }
    throw PropertyListFailure("unterminated text")
  }

  private mutating func take(_ word: String) -> Bool {
    guard bytes.count - position >= word.utf8.count,
      bytes[position...].starts(with: word.utf8)
    else { return false }
    position += word.utf8.count
    return true
  }

  private mutating func skip(past word: String) throws(PropertyListFailure) {
    while position < bytes.count {
      if take(word) { return }
      position += 1
    }
    throw PropertyListFailure("expected \(word)")
  }

  /// Passes over the document type; an internal subset, where entities are declared, is refused.
  private mutating func skipDocumentType() throws(PropertyListFailure) {
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: ">"): return
      case UInt8(ascii: "["): throw PropertyListFailure("declares entities of its own")
      case UInt8(ascii: "\""), UInt8(ascii: "'"): try skipQuoted(by: byte)
      default: break
      }
    }
    throw PropertyListFailure("unterminated document type")
  }

  private mutating func skipQuoted(by quote: UInt8) throws(PropertyListFailure) {
    while position < bytes.count {
      position += 1
      if bytes[position - 1] == quote { return }
    }
    throw PropertyListFailure("unterminated quotation")
  }

  private mutating func readTag() throws(PropertyListFailure) -> Tag {
    let isEnd = take("/")
    let start = position
    while position < bytes.count, bytes[position].isNameByte { position += 1 }
    guard position > start else { throw PropertyListFailure("a tag without a name") }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: ">"):
        let isEmpty = bytes[position - 2] == UInt8(ascii: "/") && position - 2 >= start
        return Tag(name: name, kind: isEnd ? .end : isEmpty ? .empty : .start)
      case UInt8(ascii: "\""), UInt8(ascii: "'"): try skipQuoted(by: byte)
      case UInt8(ascii: "<"): throw PropertyListFailure("a tag within a tag")
      default: break
      }
    }
    throw PropertyListFailure("unterminated tag")
  }

  private mutating func readReference() throws(PropertyListFailure) -> Unicode.Scalar {
    let start = position
    while position < bytes.count, position - start < 12, bytes[position] != UInt8(ascii: ";") {
      position += 1
    }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    guard take(";"), let scalar = Self.scalar(named: name) else {
      throw PropertyListFailure("unknown entity \(name)")
    }
    return scalar
  }

  private static func scalar(named name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": "&"
    case "lt": "<"
    case "gt": ">"
    case "quot": "\""
    case "apos": "'"
    case _ where name.hasPrefix("#x"):
      UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    case _ where name.hasPrefix("#"): UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
    default: nil
    }
  }
}

extension UInt8 {
  /// The letters of the elements that property lists have.
  fileprivate var isNameByte: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
  }
}
