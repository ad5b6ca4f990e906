internal import Media

/// What a payload is written in.
enum PayloadForm: Sendable, Hashable, CaseIterable {
  case json, xmlPropertyList, binaryPropertyList
  /// `[InternetShortcut]` with `URL=`, as Windows writes it.
  case internetShortcut
  /// One address and nothing else.
  case addressText

  init(of bytes: [UInt8], fileExtension: String?) {
    let head = UTF16Text(bytes.prefix(Self.headLength)).map { Array($0.repaired.utf8) } ?? bytes
    let start = head.drop { $0.isWhiteSpace || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    switch (start.first, fileExtension?.lowercased()) {
    case _ where BinaryPropertyListReader.recognises(bytes): self = .binaryPropertyList
    case (UInt8(ascii: "{"), _): self = .json
    case (UInt8(ascii: "<"), _): self = .xmlPropertyList
    case (_, "url"): self = .internetShortcut
    case (_, "txt"): self = .addressText
    case (UInt8(ascii: "["), _) where Self.beginsShortcut(start): self = .internetShortcut
    case (UInt8(ascii: "h"), _), (UInt8(ascii: "H"), _): self = .addressText
    default: self = .json
    }
  }

  /// Of text in UTF-16, first bytes that are looked at.
  private static let headLength = 1024

  private static func beginsShortcut(_ start: ArraySlice<UInt8>) -> Bool {
    String(decoding: start.prefix(18), as: UTF8.self).lowercased() == "[internetshortcut]"
  }

  func fields(_ bytes: [UInt8]) throws(Problem) -> PayloadFields {
    switch self {
    case .json: return try Self.json(Self.utf8(bytes))
    case .xmlPropertyList:
      let bytes = try Self.utf8(bytes)
      return try Self.propertyList { () throws(PropertyListFailure) in
        try XMLPropertyListReader.read(bytes)
      }
    case .binaryPropertyList:
      return try Self.propertyList { () throws(PropertyListFailure) in
        try BinaryPropertyListReader.read(bytes)
      }
    case .internetShortcut: return PayloadFields(url: try Self.shortcut(bytes))
    case .addressText: return PayloadFields(url: try Self.address(bytes))
    }
  }

  /// Text in UTF-16 as UTF-8; other bytes as they are.
  private static func utf8(_ bytes: [UInt8]) throws(Problem) -> [UInt8] {
    guard let text = UTF16Text(bytes) else { return bytes }
    guard let utf8 = text.utf8 else { throw Payload.unreadable("its text is not UTF-16") }
    return utf8
  }

  private static func json(_ bytes: [UInt8]) throws(Problem) -> PayloadFields {
    let value: JSONValue
    do { value = try JSONReader.read(bytes) } catch {
      throw Payload.unreadable("as JSON: \(error)")
    }
    guard let object = value.object else {
      throw Payload.unreadable("it is \(value.typeName), not an object")
    }
    return PayloadFields(object)
  }

  private static func propertyList(
    _ read: () throws(PropertyListFailure) -> PropertyListValue
  ) throws(Problem) -> PayloadFields {
    let value: PropertyListValue
    do { value = try read() } catch {
      throw Payload.unreadable("as a property list: \(error)")
    }
    guard case .dictionary(let entries) = value else {
      throw Payload.unreadable("the property list holds no dictionary")
    }
    return PayloadFields(entries)
  }

  private static func shortcut(_ bytes: [UInt8]) throws(Problem) -> String {
    var isInSection = false
    for line in lines(bytes) {
      if line.hasPrefix("[") {
        isInSection = line.lowercased() == "[internetshortcut]"
      } else if isInSection, line.lowercased().hasPrefix("url=") {
        if let address = PayloadAddress.trimmed(String(line.dropFirst(4))) { return address }
      }
    }
    throw Payload.unreadable("the shortcut names no URL")
  }

  private static func address(_ bytes: [UInt8]) throws(Problem) -> String {
    let lines = lines(bytes)
    guard lines.count == 1, let address = lines.first, PayloadAddress.isWeb(address) else {
      throw Payload.unreadable("the text holds other than one http or https address")
    }
    return address
  }

  /// Lines that hold something, white space around them aside; UTF-16 by its byte order mark.
  private static func lines(_ bytes: [UInt8]) -> [String] {
    (UTF16Text(bytes)?.repaired ?? String(decoding: bytes, as: UTF8.self)).split(
      whereSeparator: \.isNewline
    ).compactMap {
      PayloadAddress.trimmed(String($0))
    }
  }
}
