/// A HEIF file put together box by box.
struct SyntheticFile {
  struct Item {
    var type: String
    var data: [UInt8] = []
    /// Numbers of properties, from 1.
    var properties: [Int] = []
  }

  struct Reference {
    var type: String
    var from: Int
    var to: [Int]
  }

  /// Numbered from 1.
  var items: [Item]
  /// Whole property boxes.
  var properties: [[UInt8]]
  var references: [Reference] = []
  var brand = "heic"
  var primary = 1

  static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  static func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
    let content = content.flatMap { $0 }
    return number(content.count + 8, 4) + Array(type.utf8) + content
  }

  static func size(_ width: Int, _ height: Int) -> [UInt8] {
    box("ispe", number(0, 4), number(width, 4), number(height, 4))
  }

  /// A grid item's data.
  static func grid(columns: Int, rows: Int, width: Int, height: Int) -> [UInt8] {
    [0, 1, UInt8(rows - 1), UInt8(columns - 1)] + number(width, 4) + number(height, 4)
  }

  var bytes: [UInt8] {
    let fileType = Self.box("ftyp", Array(brand.utf8), Self.number(0, 4), Array("mif1".utf8))
    // The size of `meta` does not depend on the offsets in it.
    let start = fileType.count + metadata(dataStart: 0).count + 8
    return fileType + metadata(dataStart: start) + Self.box("mdat", items.flatMap(\.data))
  }

  private func metadata(dataStart: Int) -> [UInt8] {
    let handler = Self.box("hdlr", Self.number(0, 8), Array("pict".utf8), Self.number(0, 13))
    return Self.box(
      "meta", Self.number(0, 4), handler,
      Self.box("pitm", Self.number(0, 4), Self.number(primary, 2)),
      information, propertyBox, locations(dataStart), referenceBox)
  }

  private var information: [UInt8] {
    let entries = items.enumerated().map { index, item in
      Self.box(
        "infe", Self.number(0x0200_0000, 4), Self.number(index + 1, 2), Self.number(0, 2),
        Array(item.type.utf8), [0])
    }
    return Self.box("iinf", Self.number(0, 4), Self.number(items.count, 2), entries.flatMap { $0 })
  }

  private var propertyBox: [UInt8] {
    let uses = items.enumerated().map { index, item in
      Self.number(index + 1, 2) + [UInt8(item.properties.count)] + item.properties.map { UInt8($0) }
    }
    return Self.box(
      "iprp", Self.box("ipco", properties.flatMap { $0 }),
      Self.box("ipma", Self.number(0, 4), Self.number(items.count, 4), uses.flatMap { $0 }))
  }

  private func locations(_ dataStart: Int) -> [UInt8] {
    var offset = dataStart
    var entries: [UInt8] = []
    for (index, item) in items.enumerated() {
      entries += Self.number(index + 1, 2) + Self.number(0, 2) + Self.number(1, 2)
      entries += Self.number(offset, 4) + Self.number(item.data.count, 4)
      offset += item.data.count
    }
    return Self.box(
      "iloc", Self.number(0, 4), [0x44, 0x00], Self.number(items.count, 2), entries)
  }

  private var referenceBox: [UInt8] {
    if references.isEmpty { return [] }
    let entries = references.map { reference in
      Self.box(
        reference.type, Self.number(reference.from, 2), Self.number(reference.to.count, 2),
        reference.to.flatMap { Self.number($0, 2) })
    }
    return Self.box("iref", Self.number(0, 4), entries.flatMap { $0 })
  }
}

extension [UInt8] {
  /// Where four characters stand first.
  func offset(of code: String) -> Int? {
    let code = Array(code.utf8)
    return indices.dropLast(3).first { Array(self[$0..<$0 + 4]) == code }
  }

  /// The whole box whose type stands first in here.
  func box(_ type: String) -> [UInt8]? {
    guard let offset = offset(of: type), offset >= 4 else { return nil }
    let size = self[offset - 4..<offset].reduce(0) { $0 << 8 | Int($1) }
    return Array(self[offset - 4..<Swift.min(offset - 4 + size, count)])
  }

  /// The same bytes with some of them replaced.
  func patched(at offset: Int, with bytes: [UInt8]) -> [UInt8] {
    var patched = self
    patched.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    return patched
  }
}
