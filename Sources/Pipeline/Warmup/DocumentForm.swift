internal import Media

/// What a source turned out to be, by its bytes alone; raw values stand in stored documents.
enum DocumentForm: String, Sendable {
  case page
  /// A feed, a sitemap, an index of sitemaps.
  case listing
  /// A line an address.
  case addresses
  /// A job's payload.
  case payload

  /// How many first bytes tell.
  static let headLength = 4096

  /// Nil for what is none of these: pictures, sound, films, other text.
  init?(head: [UInt8]) {
    let text = head.drop { $0.isWhiteSpace || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    if head.starts(with: [0x1F, 0x8B]) {
      self = .listing
    } else if head.starts(with: Array("bplist0".utf8)) || text.first == UInt8(ascii: "{") {
      self = .payload
    } else if text.first == UInt8(ascii: "[") || Self.isPropertyListInUTF16(head) {
      self = .payload
    } else if let root = MediaFormat.markupRoot(head.span) {
      switch root.split(separator: ":").last {
      case "rss", "rdf", "feed", "urlset", "sitemapindex": self = .listing
      case "plist": self = .payload
      default:
        guard MediaFormat.sniff(head) == .html else { return nil }
        self = .page
      }
    } else if MediaFormat.sniff(head) == .html {
      self = .page
    } else if Self.beginsWithAddress(head) {
      self = .addresses
    } else {
      return nil
    }
  }

  private static func isPropertyListInUTF16(_ head: [UInt8]) -> Bool {
    guard let text = UTF16Text(head) else { return false }
    return MediaFormat.markupRoot(Array(text.repaired.utf8).span) == "plist"
  }

  private static func beginsWithAddress(_ head: [UInt8]) -> Bool {
    guard !head.contains(0) else { return false }
    return AddressLines(head).first { _ in true }.map { PayloadAddress.isWeb($0.text) } ?? false
  }
}

/// The lines of a list of addresses with their numbers from 1; blank ones and comments (`#`) aside.
struct AddressLines: Sequence {
  struct Line {
    let number: Int
    let text: String
  }

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  func makeIterator() -> AnyIterator<Line> {
    var position = 0
    var number = 0
    return AnyIterator {
      while position < bytes.count {
        let end =
          bytes[position...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
        let isPair = bytes[end...].starts(with: [0x0D, 0x0A])
        defer { position = end + (isPair ? 2 : 1) }
        number += 1
        guard end - position <= 20_000,
          let line = PayloadAddress.trimmed(String(decoding: bytes[position..<end], as: UTF8.self)),
          !line.hasPrefix("#")
        else { continue }
        return Line(number: number, text: line)
      }
      return nil
    }
  }
}
