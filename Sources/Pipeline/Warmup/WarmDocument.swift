internal import Download
internal import Files
internal import Media
internal import SharedCache

/// A page, feed, sitemap, list or payload, boiled down to the addresses in it; with what a cache
/// goes by, so that an unchanged origin is asked only with conditions.
struct WarmDocument: Sendable {
  var url: String
  /// References resolve against it.
  var finalURL: String
  var fields: ResponseFields
  /// Milliseconds since 1970.
  var requestTime: Int64
  /// Milliseconds since 1970.
  var responseTime: Int64
  var form: DocumentForm
  /// A line an address, but for a payload, which is as it came.
  var body: [UInt8]

  var freshness: Freshness {
    Freshness(fields, requestTime: requestTime, responseTime: responseTime)
  }
}

extension WarmDocument {
  /// A header line in JSON, then the body, whose length and hash the header holds.
  var stored: [UInt8] {
    let header: JSONValue = [
      "url": .string(url), "finalURL": .string(finalURL), "fields": .string(fields.serialized),
      "requestTime": JSONValue(Int(requestTime)), "responseTime": JSONValue(Int(responseTime)),
      "form": .string(form.rawValue), "bytes": JSONValue(body.count),
      "sha256": .string(ContentHash.of(body)?.hex ?? ""),
    ]
    return JSONWriter.write(header) + [0x0A] + body
  }

  /// Nil for what was damaged or is of another time.
  init?(stored: [UInt8]) {
    guard let end = stored.firstIndex(of: 0x0A),
      let header = (try? JSONReader.read(Array(stored[..<end])))?.object,
      let url = header["url"]?.string, let finalURL = header["finalURL"]?.string,
      let fields = header["fields"]?.string, let requestTime = header["requestTime"]?.int,
      let responseTime = header["responseTime"]?.int,
      let form = header["form"]?.string.flatMap(DocumentForm.init(rawValue:))
    else { return nil }
    let body = Array(stored[(end + 1)...])
    guard header["bytes"]?.int == body.count, header["sha256"]?.string == ContentHash.of(body)?.hex
    else { return nil }
    self.init(
      url: url, finalURL: finalURL, fields: ResponseFields(serialized: fields),
      requestTime: Int64(requestTime), responseTime: Int64(responseTime), form: form, body: body)
  }
}

/// The documents of earlier runs: files in `warm/documents/`, named by their address.
struct WarmDocuments: ~Copyable, Sendable {
  private let folder: Directory

  private static let mostBytes = 64 << 20
  /// Of all together.
  private static let mostTotal = 256 << 20
  private static let longestAge: Int64 = 30 * 86_400_000

  init(_ folder: consuming Directory) {
    self.folder = folder
  }

  borrowing func load(_ url: String) -> WarmDocument? {
    guard let bytes = folder.contents(of: Self.name(url), limit: Self.mostBytes),
      let document = WarmDocument(stored: bytes), document.url == url
    else { return nil }
    return document
  }

  /// Where it cannot be kept, it will be asked for again.
  borrowing func store(_ document: WarmDocument) {
    try? folder.replace(Self.name(document.url), with: document.stored)
  }

  borrowing func remove(_ url: String) {
    try? folder.remove(Self.name(url))
  }

  /// Removes all whose address is such; what cannot be read goes too.
  borrowing func removeAll(where isSuch: (String) -> Bool) {
    var names: [String] = []
    try? folder.forEachName { name in
      names.append(name)
      return true
    }
    for name in names {
      let document = folder.contents(of: name, limit: Self.mostBytes).flatMap(WarmDocument.init)
      if document.map({ isSuch($0.url) || isSuch($0.finalURL) }) ?? true {
        try? folder.remove(name)
      }
    }
  }

  borrowing func prune(now: Int64 = WallClock.now()) {
    folder.prune(to: Self.mostTotal, olderThan: Self.longestAge, now: now)
  }

  private static func name(_ url: String) -> String {
    String((ContentHash.of(url)?.hex ?? "").prefix(40))
  }
}
