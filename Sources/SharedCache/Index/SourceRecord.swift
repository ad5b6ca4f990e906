package import Media

/// An address with what distinguishes its answers.
package struct SourceKey: Sendable, Hashable {
  /// Absolute and normalised by the caller, without fragment.
  package let url: String
  /// What was sent as Accept: counts where the answer has `Vary: Accept`.
  package let variant: String

  package init(url: String, variant: String = "") {
    self.url = url
    self.variant = variant
  }

  /// The name of the address without regard to Accept.
  var plain: SourceKey { SourceKey(url: url) }

  /// The same address, for an answer of which only the beginning was wanted. It is found under this
  /// key alone, and never together with all of the answer.
  package var beginning: SourceKey { SourceKey(url: url, variant: Self.beginningVariant) }

  var isBeginning: Bool { variant == Self.beginningVariant }

  /// No Accept field holds it.
  private static let beginningVariant = "\u{1}beginning"

  /// 16 bytes of the SHA-256 of both; rows hold the address as well, which is compared.
  var digest: [UInt8] {
    Array((ContentHash.of("\(url)\n\(variant)")?.bytes ?? []).prefix(16))
  }

  /// The host in lower case, without user, port and brackets; empty where there is none.
  package var host: String { Self.host(of: url) }

  static func host(of url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return "" }
    let authority = url[scheme.upperBound...].prefix { !"/?#\\".contains($0) }
    let address = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    if address.hasPrefix("[") { return address.dropFirst().prefix { $0 != "]" }.lowercased() }
    return address.prefix { $0 != ":" }.lowercased()
  }
}

/// What is known of an address's last good answer.
package struct SourceRecord: Sendable, Hashable {
  package var key: SourceKey
  package var finalURL: String
  /// The validators, for a conditional request.
  package var fields: ResponseFields
  /// Milliseconds since 1970.
  package var requestTime: Int64
  /// Milliseconds since 1970.
  package var responseTime: Int64
  /// The content of the answer. The bytes themselves may be evicted before the renditions.
  package var original: ContentHash
  /// Length of the answer.
  package var bytes: Int
  package var format: MediaFormat
  /// What the caller wants to know again: opaque here.
  package var facts: [UInt8]

  package init(
    key: SourceKey, finalURL: String, fields: ResponseFields, requestTime: Int64,
    responseTime: Int64, original: ContentHash, bytes: Int, format: MediaFormat, facts: [UInt8]
  ) {
    self.key = key
    self.finalURL = finalURL
    self.fields = fields
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.original = original
    self.bytes = bytes
    self.format = format
    self.facts = facts
  }

  package var freshness: Freshness {
    Freshness(fields, requestTime: requestTime, responseTime: responseTime)
  }

  /// What the record may be used for at `now`, milliseconds since 1970.
  package func state(at now: Int64) -> Freshness.State { freshness.state(at: now) }
}

extension SourceRecord {
  static let columns = """
    url, variant, host, finalURL, fields, requestTime, responseTime, original, bytes, format, \
    facts, expires
    """

  /// The row's values in the order of `columns`.
  var values: [SQLValue] {
    [
      .text(key.url), .text(key.variant), .text(key.host), .text(finalURL),
      .text(fields.serialized), .integer(requestTime), .integer(responseTime),
      SQLValue(original), SQLValue(bytes), .text(format.rawValue), .blob(facts),
      .integer(freshness.expires),
    ]
  }

  /// Reads `columns` and the checksum after them; nil when they do not agree.
  init?(_ row: [SQLValue]) {
    guard row.count >= 13, row[12].integer == Array(row[..<12]).checksum,
      let url = row[0].text, let variant = row[1].text, let finalURL = row[3].text,
      let fields = row[4].text, let requestTime = row[5].integer,
      let responseTime = row[6].integer, let original = row[7].hash, let bytes = row[8].int,
      let format = row[9].text.flatMap(MediaFormat.init(rawValue:)), let facts = row[10].blob
    else { return nil }
    self.init(
      key: SourceKey(url: url, variant: variant), finalURL: finalURL,
      fields: ResponseFields(serialized: fields), requestTime: requestTime,
      responseTime: responseTime, original: original, bytes: bytes, format: format, facts: facts)
  }
}
