package import Files
internal import Glibc
package import Media

/// A manifest as it lies in the outbox.
package struct PublishedManifest: Sendable, Hashable {
  /// The whole of it.
  package let json: JSONValue

  /// The largest manifest that is read, in bytes: drafts may be as large as a payload.
  static let mostBytes = 64_000_000

  package init(json: JSONValue) {
    self.json = json
  }

  package var id: String? { json.object?["id"]?.string }
  package var generation: Int? { json.object?["generation"]?.int }
  package var status: Manifest.Status? {
    json.object?["status"]?.string.flatMap(Manifest.Status.init)
  }

  package var attachments: [JSONObject] {
    json.object?["attachments"]?.array?.compactMap(\.object) ?? []
  }

  /// The addresses that its pictures came from.
  package var sourceURLs: [String] {
    attachments.flatMap { attachment in
      let source = attachment["source"]?.object
      return [source?["url"]?.string, source?["finalURL"]?.string].compactMap { $0 }
    }
  }

  /// The hashes of its files, in hexadecimal digits.
  package var hashes: [String] {
    attachments.flatMap { $0["renditions"]?.array ?? [] }.compactMap {
      $0.object?["sha256"]?.string
    }
  }

  /// Reads the manifest of a folder; nil where it is none of ours.
  package static func read(
    _ folder: String, in outbox: borrowing Directory
  ) throws(SystemCallFailure) -> PublishedManifest? {
    let file = try outbox.subdirectory(folder).open(Manifest.fileName, flags: O_RDONLY)
    let size = try file.size()
    guard size <= mostBytes else { return nil }
    let bytes = try file.read(at: 0, count: size)
    var limits = JSONReader.Limits()
    // A manifest adds its own levels and values to the payload's.
    limits.depth += 16
    limits.values *= 2
    do { return PublishedManifest(json: try JSONReader.read(bytes, limits: limits)) } catch {
      return nil
    }
  }
}
