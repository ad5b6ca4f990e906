internal import Imaging

/// The boxes of the file that matter for a still picture, found without reading the picture itself.
struct FileBoxes {
  /// A file has a handful of boxes, a fragmented film many.
  private static let boxLimit = 4096
  /// A colour profile may be large, the rest of the metadata is not.
  private static let sizeLimit = 16_000_000

  let file: InputFile
  private(set) var brands: [FourCharacterCode] = []
  /// Content of the children of `meta`, apart from `idat`.
  private(set) var metadata: [BoxContent] = []
  /// Where `idat` lies, which holds small items.
  private(set) var itemData: Range<Int>?
  private(set) var hasMovie = false
  /// The box that says more than there is; nil where the file is whole.
  private(set) var cutBox: FourCharacterCode?
  private var metadataIsCut = false

  init(_ file: InputFile) throws(DecodeFailure) {
    self.file = file
    try Self.forEachBox(of: file, in: 0..<file.size) { box throws(DecodeFailure) in
      if box.isCut { cutBox = box.type }
      switch box.type {
      case "ftyp": try readBrands(file, box)
      case "meta": try readMetadata(file, box)
      case "moov": hasMovie = true
      default: break
      }
    }
    guard file.size >= 8 else { throw .truncated("\(file.size) bytes") }
    guard !brands.isEmpty else { throw .corrupt("the file type box is missing") }
  }

  private static func forEachBox(
    of file: InputFile, in range: Range<Int>,
    _ body: (BoxHeader) throws(DecodeFailure) -> Void
  ) throws(DecodeFailure) {
    var offset = range.lowerBound
    var count = 0
    while let box = try BoxHeader.read(file, at: offset, before: range.upperBound) {
      count += 1
      guard count <= boxLimit else { throw .corrupt("more than \(boxLimit) boxes") }
      try body(box)
      offset = box.content.upperBound
    }
  }

  private mutating func readBrands(
    _ file: InputFile, _ box: BoxHeader
  ) throws(DecodeFailure) {
    var content = try Self.content(of: box, in: file)
    brands = [try content.code()]
    try content.skip(4)
    while content.remaining >= 4 { brands.append(try content.code()) }
  }

  private mutating func readMetadata(
    _ file: InputFile, _ box: BoxHeader
  ) throws(DecodeFailure) {
    guard metadata.isEmpty else { return }
    guard box.content.count >= 4 else { throw .truncated("the meta box") }
    var total = 0
    // The box is a full box: version and flags stand before its children.
    let children = box.content.dropFirst(4)
    try Self.forEachBox(of: file, in: children) { child throws(DecodeFailure) in
      if child.type == "idat" {
        itemData = child.content
        return
      }
      guard !child.isCut else {
        guard box.isCut || box.content.upperBound == file.size else {
          throw .corrupt("the \(child.type) box does not fit into the meta box")
        }
        throw .truncated("the \(child.type) box")
      }
      total += child.content.count
      guard total <= Self.sizeLimit else {
        throw .corrupt("more metadata than \(Self.sizeLimit) bytes")
      }
      metadata.append(try Self.content(of: child, in: file))
    }
    metadataIsCut = box.isCut
  }

  /// The content of the one metadata box of this type; nil where there is none.
  func metadata(_ type: FourCharacterCode) -> BoxContent? {
    metadata.first { $0.type == type }
  }

  /// The content of a metadata box that a still picture cannot do without.
  func required(_ type: FourCharacterCode) throws(DecodeFailure) -> BoxContent {
    if let content = metadata(type) { return content }
    if metadataIsCut { throw .truncated("the \(type) box") }
    if !metadata.isEmpty { throw .corrupt("the \(type) box is missing") }
    if hasMovie { throw .unsupported("an image sequence without a still picture") }
    throw .truncated("the file ends before its meta box")
  }

  private static func content(
    of box: BoxHeader, in file: InputFile
  ) throws(DecodeFailure) -> BoxContent {
    guard !box.isCut else { throw .truncated("the \(box.type) box") }
    guard box.content.count <= sizeLimit else {
      throw .corrupt("the \(box.type) box has more than \(sizeLimit) bytes")
    }
    return BoxContent(box.type, try file.bytes(box.content))
  }

  /// Whether the file holds all bytes of an item.
  func holds(_ location: ItemLocation) -> Bool {
    let count = location.origin == .file ? file.size : itemData?.count ?? 0
    return location.extents.allSatisfy { extent in
      extent.lowerBound <= count && (extent.upperBound == .max || extent.upperBound <= count)
    }
  }

  /// An item's bytes, at most `limit`.
  func bytes(at location: ItemLocation, limit: Int) throws(DecodeFailure) -> [UInt8] {
    let source: Range<Int>
    switch location.origin {
    case .file: source = 0..<file.size
    case .itemData: source = itemData ?? 0..<0
    case .item: throw .unsupported("an item that lies inside another one")
    }
    var bytes: [UInt8] = []
    for extent in location.extents {
      let end = extent.upperBound == .max ? source.count : extent.upperBound
      guard extent.lowerBound <= end, end <= source.count else {
        throw .truncated("an item needs bytes up to \(end), there are \(source.count)")
      }
      guard end - extent.lowerBound <= limit - bytes.count else {
        throw .corrupt("an item of more than \(limit) bytes")
      }
      bytes += try file.bytes(source.lowerBound + extent.lowerBound..<source.lowerBound + end)
    }
    return bytes
  }
}
