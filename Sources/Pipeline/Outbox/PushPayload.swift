package import Media

/// A ready APNs payload (contract §4): text, and where the phone's own extension finds the media.
package struct PushPayload: Sendable, Hashable {
  package static let fileName = "push.json"
  /// What APNs takes.
  package static let mostBytes = 4096

  /// One file that the extension may fetch.
  package struct Medium: Sendable, Hashable {
    var url: String
    var type: String?
    var sha256: String
    var size: PixelSize?
  }

  var id: String
  var title: String?
  var subtitle: String?
  var body: String?
  var category: String?
  var thread: String?
  var url: String?
  var media: [Medium]

  package init(_ manifest: Manifest) {
    let notification = manifest.notification
    id = manifest.id
    title = notification.title
    subtitle = notification.subtitle
    body = notification.body
    category = notification.categoryIdentifier
    thread = notification.threadIdentifier
    url = notification.url
    media = manifest.attachments.flatMap(\.renditions).compactMap { rendition in
      guard let url = rendition.objectURL else { return nil }
      return Medium(
        url: url, type: rendition.format.typeIdentifier, sha256: rendition.sha256,
        size: rendition.size)
    }
  }

  /// The payload; what Apple's keys do not have is left out, never null.
  package var json: JSONValue {
    var alert = JSONObject()
    alert.set("title", title)
    alert.set("subtitle", subtitle)
    alert.set("body", body)
    var aps: JSONObject = ["alert": .object(alert), "mutable-content": 1]
    aps.set("category", category)
    aps.set("thread-id", thread)
    return [
      "aps": .object(aps), "media": .array(media.map(\.json)), "url": JSONValue(url),
      "id": .string(id),
    ]
  }
}

extension PushPayload.Medium {
  var json: JSONValue {
    [
      "url": .string(url), "type": JSONValue(type), "sha256": .string(sha256),
      "width": JSONValue(size?.width), "height": JSONValue(size?.height),
    ]
  }
}

extension JSONObject {
  fileprivate mutating func set(_ name: String, _ value: String?) {
    guard let value else { return }
    members.append(Member(name: name, value: .string(value)))
  }
}
