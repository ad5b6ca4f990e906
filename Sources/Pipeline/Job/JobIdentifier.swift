internal import Files
internal import SharedCache

/// A job's id as file names and manifests have it (contract §3): bytes outside `[A-Za-z0-9._-]`
/// and a leading `.` are percent-encoded, and what is longer than 120 bytes becomes its first 80,
/// a hyphen and the first 32 digits of the SHA-256 of the id as it was given.
package struct JobIdentifier: Sendable, Hashable {
  package let text: String

  static let mostBytes = 120
  private static let keptBytes = 80
  private static let hashDigits = 32

  /// Nil for an empty id, and where libcrypto cannot hash a long one.
  package init?(_ id: String) {
    self.init(bytes: Array(id.utf8))
  }

  /// The id that a file's name gives, whose bytes need not be UTF-8.
  package init?(stem: String) {
    if let hidden = JobIdentifier(hiddenStem: stem) {
      self = hidden
    } else {
      self.init(bytes: FileName.bytes(of: stem))
    }
  }

  /// A name in incoming/ cannot begin with a dot; `~` before an encoded one says that its id does.
  private static let hiddenMark = "~%2E"

  private init?(hiddenStem stem: String) {
    guard stem.hasPrefix(Self.hiddenMark), let id = JobIdentifier(encoded: String(stem.dropFirst()))
    else { return nil }
    self = id
  }

  /// The stem of a file in incoming/ that has this id.
  var stem: String { text.hasPrefix("%2E") ? "~\(text)" : text }

  private init?(bytes id: [UInt8]) {
    guard !id.isEmpty else { return nil }
    let encoded = Self.encoded(id)
    if encoded.count <= Self.mostBytes {
      text = String(decoding: encoded, as: UTF8.self)
    } else {
      guard let hash = ContentHash.of(id) else { return nil }
      text =
        String(decoding: encoded.prefix(Self.keptBytes), as: UTF8.self) + "-"
        + hash.hex.prefix(Self.hashDigits)
    }
  }

  /// Takes an id in its encoded form, as an outbox folder is named; nil for what is none.
  package init?(encoded text: String) {
    let bytes = text.utf8
    guard let first = bytes.first, first != UInt8(ascii: "."), bytes.count <= Self.mostBytes,
      bytes.allSatisfy({ Self.isPlain($0) || $0 == UInt8(ascii: "%") })
    else { return nil }
    self.text = text
  }

  private static func encoded(_ id: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    for byte in id {
      if isPlain(byte), byte != UInt8(ascii: ".") || !bytes.isEmpty {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return bytes
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension JobIdentifier: CustomStringConvertible {
  package var description: String { text }
}
