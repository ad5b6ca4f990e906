internal import Imaging

/// The items of a file with what is said of each (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 9.3).
struct ItemCatalogue {
  /// Items, properties, references, extents: more than this of any is no photograph.
  static let entryLimit = 20_000

  struct Item {
    var type: FourCharacterCode = "    "
    var isHidden = false
    var location: ItemLocation?
    /// In the order of their application.
    var properties: [ItemProperty] = []
    /// Items that this one refers to, by kind of reference, in order.
    var references: [FourCharacterCode: [Int]] = [:]
  }

  let primary: Int
  private(set) var items: [Int: Item] = [:]

  init(_ boxes: FileBoxes) throws(DecodeFailure) {
    primary = try Self.primary(try boxes.required("pitm"))
    try readInformation(try boxes.required("iinf"))
    try readProperties(try boxes.required("iprp"))
    try readLocations(try boxes.required("iloc"))
    if let references = boxes.metadata("iref") { try readReferences(references) }
  }

  /// The item of this number, which another one needs.
  func item(_ number: Int) throws(DecodeFailure) -> Item {
    guard let item = items[number] else { throw .corrupt("item \(number) does not exist") }
    return item
  }

  private static func primary(_ box: BoxContent) throws(DecodeFailure) -> Int {
    var box = box
    let (version, _) = try box.versionAndFlags()
    return try box.number(bytes: version == 0 ? 2 : 4)
  }

  private mutating func readInformation(_ box: BoxContent) throws(DecodeFailure) {
    var box = box
    let (version, _) = try box.versionAndFlags()
    try box.skip(version == 0 ? 2 : 4)
    while var entry = try box.childBox() {
      guard entry.type == "infe" else { continue }
      let (version, flags) = try entry.versionAndFlags()
      // Versions 0 and 1 have no item type: such an item is no picture.
      guard version >= 2 else { continue }
      let number = try entry.number(bytes: version == 2 ? 2 : 4)
      try entry.skip(2)
      items[number] = Item(type: try entry.code(), isHidden: flags & 1 != 0)
      guard items.count <= Self.entryLimit else {
        throw .corrupt("more than \(Self.entryLimit) items")
      }
    }
  }

  private mutating func readProperties(_ box: BoxContent) throws(DecodeFailure) {
    var box = box
    var properties: [ItemProperty] = []
    var associations: [BoxContent] = []
    while var child = try box.childBox() {
      switch child.type {
      case "ipco":
        while let property = try child.childBox() {
          properties.append(try ItemProperty(property))
          guard properties.count <= Self.entryLimit else {
            throw .corrupt("more than \(Self.entryLimit) properties")
          }
        }
      case "ipma": associations.append(child)
      default: break
      }
    }
    for association in associations { try associate(properties, association) }
  }

  /// Gives each item its properties (ISO/IEC 23008-12, 9.3.1).
  private mutating func associate(
    _ properties: [ItemProperty], _ box: BoxContent
  ) throws(DecodeFailure) {
    var box = box
    let (version, flags) = try box.versionAndFlags()
    let width = flags & 1 == 0 ? 1 : 2
    var total = 0
    for _ in 0..<(try box.number(bytes: 4)) {
      let number = try box.number(bytes: version == 0 ? 2 : 4)
      for _ in 0..<(try box.number(bytes: 1)) {
        total += 1
        guard total <= Self.entryLimit else {
          throw .corrupt("more than \(Self.entryLimit) property uses")
        }
        // The highest bit tells whether the property is essential; the rest counts from 1.
        let index = try box.number(bytes: width) & (width == 1 ? 0x7f : 0x7fff)
        if index == 0 { continue }
        guard index <= properties.count else {
          throw .corrupt("item \(number) has no property \(index)")
        }
        items[number]?.properties.append(properties[index - 1])
      }
    }
  }

  private mutating func readLocations(_ box: BoxContent) throws(DecodeFailure) {
    for (number, location) in try ItemLocation.all(in: box) { items[number]?.location = location }
  }

  private mutating func readReferences(_ box: BoxContent) throws(DecodeFailure) {
    var box = box
    let (version, _) = try box.versionAndFlags()
    let width = version == 0 ? 2 : 4
    var total = 0
    while var entry = try box.childBox() {
      let number = try entry.number(bytes: width)
      var targets: [Int] = []
      for _ in 0..<(try entry.number(bytes: 2)) {
        total += 1
        guard total <= Self.entryLimit else {
          throw .corrupt("more than \(Self.entryLimit) references")
        }
        targets.append(try entry.number(bytes: width))
      }
      items[number]?.references[entry.type, default: []] += targets
    }
  }
}
