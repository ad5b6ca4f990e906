package import Media

extension Payload {
  /// Reads a payload in any of its forms (contract §2): JSON, property lists in XML and binary
  /// form, `.webloc`, `.url`, and text that holds one address. The bytes tell the form; the name's
  /// extension decides only where they leave it open. Throws `unreadablePayload` or
  /// `payloadTooLarge`, with the reason.
  package static func read(
    _ bytes: [UInt8], fileExtension: String? = nil
  ) throws(Problem) -> Payload {
    guard bytes.count <= mostBytes else { throw tooLarge(bytes: bytes.count) }
    let fields = try PayloadForm(of: bytes, fileExtension: fileExtension).fields(bytes).unwrapped()
    let payload = Payload(fields)
    guard payload.pageAddress != nil || payload.title != nil || payload.imageURL != nil else {
      throw unreadable("it has neither a usable url nor a title nor an imageURL")
    }
    return payload
  }

  static func tooLarge(bytes: Int) -> Problem {
    Problem(
      .intake, .payloadTooLarge, "the payload has \(bytes) bytes, more than \(mostBytes)")
  }

  static func unreadable(_ reason: String) -> Problem {
    Problem(.intake, .unreadablePayload, "the payload cannot be used: \(reason)")
  }

  init(_ fields: PayloadFields) {
    var reader = PayloadFieldReader(fields)
    title = reader.text("title", limit: NotificationText.Limit.title)
    mediaCompany = reader.text("mediaCompany", limit: NotificationText.Limit.subtitle)
    altText = reader.text("altText", limit: NotificationText.Limit.altText)
    url = reader.address("url").map(PayloadAddress.tidied)
    imageURL = reader.address("imageURL")
    drafts = reader.verbatim("drafts") ?? []
    id = reader.string("id").flatMap { $0.isEmpty ? nil : $0 }
    deadline = reader.instant("deadline")
    ttlSeconds = reader.seconds("ttlSeconds")
    imageURLs = reader.strings("imageURLs")
    media = reader.strings("media")
    profiles = reader.strings("profiles")
    categoryIdentifier = reader.identifier("categoryIdentifier")
    threadIdentifier = reader.identifier("threadIdentifier")
    if let address = url, !PayloadAddress.mayBeOpened(address) {
      reader.note("url", "is no address that a notification may open", code: .unsupportedURL)
      url = nil
    }
    notes = reader.notes
  }
}
