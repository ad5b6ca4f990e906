internal import Media

/// A listing's bytes as UTF-8 in pieces, whatever they came in.
struct ListingText {
  /// Whether the end is missing.
  private(set) var isCut = false

  private static let pieceSize = 64 << 10
  /// Bytes of a document in another charset, which is converted as a whole.
  private static let mostConverted = 8 << 20

  /// Hands over the text until `body` says false.
  mutating func read(_ bytes: RawSpan, contentType: String?, _ body: ([UInt8]) -> Bool) {
    var collected: [UInt8]?
    var isFirst = true
    var total = 0
    var isWanted = true
    let take = { (piece: [UInt8]) -> Bool in
      total += piece.count
      guard total <= Listing.mostBytes else { return false }
      if isFirst, Self.isConverted(piece, contentType: contentType) { collected = [] }
      isFirst = false
      guard let size = collected?.count else {
        isWanted = body(Self.plain(piece))
        return isWanted
      }
      collected?.append(contentsOf: piece.prefix(Self.mostConverted - size))
      return size < Self.mostConverted
    }
    let isWhole = Self.pieces(of: bytes, take)
    isCut = !isWhole || total > Listing.mostBytes || !isWanted
    if let collected {
      isCut = isCut || collected.count >= Self.mostConverted
      let text = PageText(collected, contentType: contentType).utf8
      for start in stride(from: 0, to: text.count, by: Self.pieceSize) {
        guard body(Array(text[start..<min(text.count, start + Self.pieceSize)])) else { break }
      }
    }
  }

  /// False where gzip ended early.
  private static func pieces(of bytes: RawSpan, _ body: ([UInt8]) -> Bool) -> Bool {
    if GzipData.begins(bytes) { return GzipData.decode(bytes, body) }
    for start in stride(from: 0, to: bytes.byteCount, by: pieceSize) {
      let part = bytes.extracting(start..<min(bytes.byteCount, start + pieceSize))
      guard unsafe body(part.withUnsafeBytes { unsafe Array($0) }) else { break }
    }
    return true
  }

  /// The parser would take a zero for the end.
  private static func plain(_ piece: [UInt8]) -> [UInt8] {
    piece.contains(0) ? piece.map { $0 == 0 ? 0x20 : $0 } : piece
  }

  /// Whether the text is in other than UTF-8. XML in UTF-16 shows a zero beside its first `<`.
  private static func isConverted(_ head: [UInt8], contentType: String?) -> Bool {
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { return false }
    if head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0xFF, 0xFE]) { return true }
    if head.prefix(2).contains(0) { return true }
    let declared = contentType.flatMap { CharsetParameter.value(in: $0) }
    guard let label = declared ?? DeclaredCharset.label(in: Array(head.prefix(1024))),
      let charset = Charset(label: label)
    else { return false }
    return charset != .utf8
  }
}
