internal import Media

/// A file of certificates in PEM form (RFC 7468).
package enum AuthorityFile {
  /// What is read of one at most, in bytes.
  package static let mostBytes = 16_000_000

  private static let labels = ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"]

  /// Whether every certificate in it is one by its outermost form, and there is one at least; text
  /// between them is allowed.
  package static func isUsable(_ bytes: [UInt8]) -> Bool {
    var lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)[...]
    var count = 0
    while let line = lines.popFirst() {
      let isOpening = { (label: String) in line == "-----BEGIN \(label)-----" }
      guard let label = labels.first(where: isOpening) else { continue }
      guard let end = lines.firstIndex(of: "-----END \(label)-----"),
        let content = Base64.decode(Array(lines[..<end].joined().utf8)), isSequence(content)
      else { return false }
      lines = lines[end...].dropFirst()
      count += 1
    }
    return count > 0
  }

  /// Whether it begins with a whole ASN.1 SEQUENCE in DER (X.690 §8.1).
  private static func isSequence(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 2, bytes[0] == 0x30 else { return false }
    guard bytes[1] >= 0x80 else { return bytes.count >= 2 + Int(bytes[1]) }
    let count = Int(bytes[1] & 0x7F)
    guard (1...3).contains(count), bytes.count > 2 + count else { return false }
    let length = bytes[2..<(2 + count)].reduce(0) { $0 << 8 | Int($1) }
    return bytes.count >= 2 + count + length
  }
}
