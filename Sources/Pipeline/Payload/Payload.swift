package import Media

/// A job's payload (contract §2): what a share extension took from a page, and what its sender
/// added. Texts are cleaned; addresses are as given, without surrounding white space.
package struct Payload: Sendable, Hashable {
  package var title: String?
  /// The page, as the notification opens it: http, https, or a scheme of an app's own.
  package var url: String?
  package var imageURL: String?
  package var mediaCompany: String?
  /// The reader's highlights as they came, whatever their shape; an empty array when none did.
  package var drafts: JSONValue = []

  package var id: String?
  package var deadline: Timestamp?
  package var ttlSeconds: Double?
  package var imageURLs: [String] = []
  package var media: [String] = []
  /// Names or boxes; empty where the sender leaves them to the worker.
  package var profiles: [String] = []
  package var categoryIdentifier: String?
  package var threadIdentifier: String?
  package var altText: String?

  /// What was dropped, and why.
  package var notes: [Problem] = []

  /// The largest payload that is read, in bytes.
  package static let mostBytes = 4_000_000

  package init() {}

  /// The first draft's sentence that has text.
  package var body: String? {
    let candidates = drafts.array ?? [drafts]
    for draft in candidates {
      if let sentence = draft.object?["sentence"]?.string,
        let text = NotificationText.clean(sentence, limit: NotificationText.Limit.body)
      {
        return text
      }
    }
    return nil
  }

  /// `url` where it is a page that can be read.
  package var pageAddress: String? {
    url.flatMap { PayloadAddress.isWeb($0) ? $0 : nil }
  }

  /// Whether the payload names a picture or media of its own.
  package var namesMedia: Bool { imageURL != nil || !imageURLs.isEmpty || !media.isEmpty }
}
