import Files
import Foundation
import Glibc
import Media
import Origin
import TestSupport

/// A job directory, a cache and an origin on loopback for one test, and the real program over them.
struct JobSite: ~Copyable {
  let root: TemporaryDirectory
  let origin: OriginServer

  /// Serves media-samples/ unless told otherwise.
  static func make(
    serving folder: String = Project.path("media-samples"), listening address: String = "127.0.0.1"
  ) throws -> JobSite {
    let origin = try OriginServer(folder: folder, address: address)
    let site = JobSite(root: try TemporaryDirectory(), origin: origin)
    try site.root.makeFolder("jobs")
    try site.root.makeFolder("cache")
    return site
  }

  private init(root: consuming TemporaryDirectory, origin: OriginServer) {
    self.root = root
    self.origin = origin
  }

  var jobs: String { root.path(of: "jobs") }
  var cache: String { root.path(of: "cache") }

  /// A payload as a share extension sends it, put into incoming/ by the program.
  @discardableResult
  func submit(
    _ id: String, image: String?, more: [String: Any] = [:]
  ) async throws -> CommandOutcome {
    var payload: [String: Any] = ["id": id, "title": "A page", "mediaCompany": "The Gazette"]
    payload["imageURL"] = image.map { $0.hasPrefix("/") ? origin.url($0) : $0 }
    for (key, value) in more { payload[key] = value }
    let bytes = try JSONSerialization.data(withJSONObject: payload)
    return try await Command.built("wirephoto", ["submit", jobs, "-"], input: [UInt8](bytes)).run()
  }

  /// The worker's command line, allowed to reach the origin.
  func worker(_ more: [String] = ["--drain"]) throws -> Command {
    try Command.built(
      "wirephoto",
      ["worker", jobs, "--cache", cache, "--allow-address", "127.0.0.0/8"] + more)
  }

  /// Works until nothing is left.
  @discardableResult
  func drain(_ more: [String] = []) async throws -> CommandOutcome {
    try await worker(["--drain"] + more).run(limit: .seconds(120))
  }

  func manifest(_ id: String) throws -> ManifestFile {
    try ManifestFile(folder: root.path(of: "jobs/outbox/\(id)"))
  }

  /// The names in one of the job directory's folders, without dot-files.
  func names(_ folder: String) throws -> [String] {
    try root.names(in: "jobs/\(folder)").filter { !$0.hasPrefix(".") }
  }
}

/// A manifest as a consumer reads it: by an independent JSON reader.
struct ManifestFile {
  struct Rendition: Decodable {
    let profile: String
    let role: String
    let file: String
    let typeIdentifier: String
    let mimeType: String
    let width: Int
    let height: Int
    let frames: Int
    let bytes: Int
    let sha256: String
  }

  struct Source: Decodable {
    let url: String?
    let format: String
    let width: Int
    let height: Int
    let bytes: Int
    let cache: String
  }

  struct Notification: Decodable {
    let title: String?
    let subtitle: String?
    let url: String?
  }

  struct Attachment: Decodable {
    let altText: String?
    let rung: String
    let source: Source
    let renditions: [Rendition]
  }

  struct Reason: Decodable {
    let severity: String
    let stage: String
    let code: String
    let message: String
  }

  struct Timing: Decodable {
    let arrived: String
    let deadline: String
    let finished: String
  }

  struct Content: Decodable {
    let id: String
    let generation: Int
    let status: String
    let notification: Notification
    let attachments: [Attachment]
    let problems: [Reason]
    let timing: Timing
  }

  let folder: String
  let content: Content

  init(folder: String) throws {
    self.folder = folder
    content = try JSONDecoder().decode(
      Content.self, from: Data(try FileBytes.read("\(folder)/manifest.json")))
  }

  var codes: [String] { content.problems.map(\.code) }

  /// The one rendition of the one attachment.
  func rendition() throws -> Rendition {
    guard let rendition = content.attachments.first?.renditions.first else {
      throw MissingPicture(codes: codes)
    }
    return rendition
  }

  func path(_ rendition: Rendition) -> String { "\(folder)/\(rendition.file)" }
}

struct MissingPicture: Error {
  let codes: [String]
}
