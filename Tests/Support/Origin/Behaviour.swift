/// How an origin answers, read from a request's query: `/photo.jpg?stall=50&length=+10`.
package struct Behaviour: Sendable {
  package enum Ending: Sendable, Hashable {
    case regular
    /// Sends nothing more and keeps the connection open.
    case stall(percent: Int)
    /// Ends the connection with RST.
    case reset(percent: Int)
    /// Ends the connection in order, but early.
    case close(percent: Int)
  }

  package enum Shape: Sendable, Hashable {
    /// The file, or made-up bytes, with a Content-Length.
    case plain
    /// The same in chunks.
    case chunked
    /// Chunks without end.
    case endless
    /// The file in a chunk, and then chunks without end.
    case padded
    /// A gzip stream of zeros without end, 158 to 1.
    case bomb
    /// A page in place of the picture.
    case html
    /// Bytes without a status line.
    case bare
    /// Interim answers (102) without end.
    case interim
    /// Header fields without end.
    case headers
    /// Nothing at all.
    case silent
  }

  package var shape = Shape.plain
  package var ending = Ending.regular
  package var status = 200
  /// How many requests for the path are treated so before the rest get a regular answer; nil for
  /// all.
  package var failures: Int?
  /// How many requests for the path get a regular answer before.
  package var regular = 0
  /// Milliseconds before anything is sent.
  package var delay = 0
  /// Bytes a second; nil for as fast as it goes.
  package var headerRate: Int?
  package var bodyRate: Int?
  /// The declared length: a number, or with a sign a difference to the true one.
  package var length: String?
  /// Bytes of made-up body.
  package var size: Int?
  package var location: String?
  package var fields: [(name: String, value: String)] = []
  package var contentType: String?
  package var etag: String?
  package var lastModified: String?
  /// The path of a file that is served in place of the one asked for.
  package var substitute: String?
  /// The ETag of a 304, where it is another.
  package var confirmedTag: String?

  /// Keys: silent, bare, html, chunked, endless, padded, bomb, interim, headers; stall, reset, close (per
  /// cent of the body); status, good, fail, delay, headerRate, rate, length, size, type, etag, modified,
  /// confirms, cache, expires, age, date, retryAfter, encoding; redirect (with status), hops, loop; instead (a
  /// file); bots (the rest holds only for a User-Agent that calls itself one).
  package init(_ request: OriginRequest) {
    let query = request.query
    let shapes: [(String, Shape)] = [
      ("silent", .silent), ("bare", .bare), ("html", .html), ("chunked", .chunked),
      ("endless", .endless), ("padded", .padded), ("bomb", .bomb), ("interim", .interim),
      ("headers", .headers),
    ]
    shape = shapes.first { query[$0.0] != nil }?.1 ?? .plain
    ending = Self.ending(query)
    status = query["status"].flatMap { Int($0) } ?? 200
    failures = query["fail"].flatMap { Int($0) }
    regular = query["good"].flatMap { Int($0) } ?? 0
    delay = query["delay"].flatMap { Int($0) } ?? 0
    headerRate = query["headerRate"].flatMap { Int($0) }
    bodyRate = query["rate"].flatMap { Int($0) }
    length = query["length"]
    size = query["size"].flatMap { Int($0) }
    contentType = query["type"]
    etag = query["etag"]
    lastModified = query["modified"]
    substitute = query["instead"]
    confirmedTag = query["confirms"]
    readFields(query)
    readRedirect(request)
    let isBot = request.headers["user-agent"]?.lowercased().contains("bot") ?? false
    if query["bots"] != nil, !isBot { makeRegular() }
  }

  /// The behaviour once `earlier` requests for the same path have been answered.
  func after(_ earlier: Int) -> Behaviour {
    guard earlier < regular || failures.map({ earlier >= regular + $0 }) ?? false else {
      return self
    }
    var behaviour = self
    behaviour.makeRegular()
    return behaviour
  }

  private mutating func makeRegular() {
    shape = .plain
    ending = .regular
    status = 200
    headerRate = nil
    bodyRate = nil
    length = nil
    location = nil
    substitute = nil
  }

  private mutating func readFields(_ query: [String: String]) {
    let names = [
      "cache": "Cache-Control", "expires": "Expires", "age": "Age", "date": "Date",
      "retryAfter": "Retry-After", "encoding": "Content-Encoding", "vary": "Vary",
    ]
    for (key, name) in names.sorted(by: { $0.key < $1.key }) {
      if let value = query[key] { fields.append((name, value)) }
    }
    if let etag { fields.append(("ETag", etag)) }
    if let lastModified { fields.append(("Last-Modified", lastModified)) }
    if shape == .bomb { fields.append(("Content-Encoding", "gzip")) }
  }

  private mutating func readRedirect(_ request: OriginRequest) {
    if let target = request.query["redirect"] {
      location = target
    } else if let hops = request.query["hops"].flatMap({ Int($0) }), hops > 0 {
      location = "\(request.path)?hops=\(hops - 1)"
    } else if request.query["loop"] != nil {
      location = "\(request.path)?loop"
    }
    if location != nil, status == 200 { status = 302 }
  }

  private static func ending(_ query: [String: String]) -> Ending {
    if let percent = query["stall"].flatMap({ Int($0) }) { return .stall(percent: percent) }
    if let percent = query["reset"].flatMap({ Int($0) }) { return .reset(percent: percent) }
    if let percent = query["close"].flatMap({ Int($0) }) { return .close(percent: percent) }
    return .regular
  }
}
