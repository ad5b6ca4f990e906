package import Media

extension PushPayload {
  /// Bytes of body that stay while something longer than usual can go in its stead.
  private static let worthwhileBody = 256
  /// Bytes that are unusual for an address, and for media in all.
  private static let (longURL, longMedia) = (800, 1600)

  /// The payload within APNs' limit, and what had to be left away for it: the body is cut first, at
  /// grapheme clusters; then unusually long addresses go, the other texts are cut, and at last the
  /// address and the media go. What is cut of texts needs no note: an ellipsis says so.
  package func fitted() -> (bytes: [UInt8], notes: [Problem]) {
    var payload = self
    var notes: [Problem] = []
    for step in Self.steps where payload.excess > 0 {
      if let left = step(&payload) {
        let message = "push.json would exceed \(Self.mostBytes) bytes; \(left)"
        notes.append(Problem(.publish, .byteBudget, message, severity: .note))
      }
    }
    return (JSONWriter.write(payload.json), notes)
  }

  /// One way to make a payload smaller; answers what a person should know of it.
  private typealias Step = @Sendable (inout PushPayload) -> String?

  private static let steps: [Step] = [
    { payload in payload.shorten(\.body, to: worthwhileBody) },
    { payload in payload.dropMedia(beyond: longMedia) },
    { payload in payload.dropURL(beyond: longURL) },
    { payload in payload.shorten(\.body, to: 0) },
    { payload in payload.shorten(\.subtitle, to: 0) },
    { payload in payload.shorten(\.title, to: 128) },
    { payload in payload.dropURL(beyond: 0) },
    { payload in payload.dropMedia(beyond: 0) },
    { payload in payload.dropIdentifiers() },
    { payload in payload.shorten(\.title, to: 0) },
  ]

  private var excess: Int { JSONWriter.write(json).count - Self.mostBytes }

  private mutating func shorten(
    _ part: WritableKeyPath<PushPayload, String?>, to least: Int
  ) -> String? {
    // Escapes make text longer, so cutting as many bytes as are too many may cut more than is due,
    // never less: the loop runs once unless the ellipsis itself does not fit.
    while excess > 0, let text = self[keyPath: part], text.utf8.count > least {
      let limit = max(least, text.utf8.count - excess)
      let cut = BidirectionalMarks.balanced(NotificationText.cut(text, limit: limit))
      self[keyPath: part] = cut.isEmpty || cut == NotificationText.ellipsis ? nil : cut
      if limit == least { break }
    }
    return nil
  }

  private mutating func dropMedia(beyond limit: Int) -> String? {
    let count = media.count
    while let last = media.last,
      JSONWriter.write(.array(media.map(\.json))).count > limit || last.url.utf8.count > limit
    {
      media.removeLast()
    }
    return media.count < count ? "\(count - media.count) of \(count) media are left out" : nil
  }

  private mutating func dropURL(beyond limit: Int) -> String? {
    guard let text = url, JSONWriter.write(.string(text)).count > limit else { return nil }
    url = nil
    return "its url of \(text.utf8.count) bytes is left out"
  }

  private mutating func dropIdentifiers() -> String? {
    guard category != nil || thread != nil else { return nil }
    (category, thread) = (nil, nil)
    return "category and thread-id are left out"
  }
}
