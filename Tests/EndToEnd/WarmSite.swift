import Foundation
import Glibc
import Origin
import TestSupport

/// A cache, an origin that serves a folder, and the real `warm` over them.
struct WarmSite: ~Copyable {
  let site: JobSite
  let folder: TemporaryDirectory

  /// `pictures` copies of a sample, 480 by 320, as /0.jpg and so on; and files as given.
  static func make(pictures: Int, _ files: [String: String] = [:]) throws -> WarmSite {
    let folder = try TemporaryDirectory()
    let sample = try FileBytes.read(Project.path("media-samples/jpeg/baseline.jpg"))
    // A comment at the end makes each a picture of its own.
    for index in 0..<pictures {
      try folder.write(sample + Array("\(index)".utf8), to: "\(index).jpg")
    }
    for (name, text) in files { try folder.write(text, to: name) }
    return WarmSite(site: try JobSite.make(serving: folder.path), folder: folder)
  }

  private init(site: consuming JobSite, folder: consuming TemporaryDirectory) {
    self.site = site
    self.folder = folder
  }

  func url(_ path: String) -> String { site.origin.url(path) }

  func command(_ more: [String], input: String = "") throws -> Command {
    try Command.built(
      "wirephoto",
      ["warm", "--cache", site.cache, "--allow-address", "127.0.0.0/8", "--json"] + more,
      input: Array(input.utf8))
  }

  /// Runs to the end, and reads the summary.
  func warm(
    _ more: String..., input: String = "", code: Int32 = 0
  ) async throws -> WarmSummary {
    let outcome = try await command(more, input: input).run(limit: .seconds(120))
    guard outcome.ending == .exited(code) else { throw NotSeen(what: outcome.errorText) }
    return try JSONDecoder().decode(WarmSummary.self, from: Data(outcome.output))
  }

  /// How often each path was asked for.
  var counts: [String: Int] {
    site.origin.requests.reduce(into: [:]) { $0[$1.path, default: 0] += 1 }
  }

  var requests: [OriginRequest] { site.origin.requests }
}

/// What `warm --json` prints.
struct WarmSummary: Decodable {
  struct Documents: Decodable {
    let read: Int
    let revalidated: Int
    let fresh: Int
  }

  let status: String
  let fetched: Int
  let fresh: Int
  let revalidated: Int
  let failed: Int
  let failures: [String: Int]
  let unreadable: Int
  let documents: Documents
  let resumed: Int
  let left: Int
}
