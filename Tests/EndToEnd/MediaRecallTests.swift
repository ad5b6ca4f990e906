import Files
import Foundation
import Glibc
import Media
import Origin
import TestSupport
import Testing

/// Posters, covers and files that another job has had made.
@Suite(.timeLimit(.minutes(15))) struct MediaRecallTests {
  private static let media = [
    "/video/h264.mov", "/audio/cover.mp3", "/video/vp9.webm", "/audio/plain.wav",
  ]

  /// Addresses whose copies are fresh for an hour.
  private func addresses(_ site: borrowing JobSite) -> [String] {
    Self.media.map { site.origin.url("\($0)?cache=max-age%3D3600") }
  }

  /// A folder that holds all programs but the one that reads sound and film: as links, since a copy
  /// may still be open for writing in a child of another test when it is to be run.
  private func programsWithoutLibav() throws -> String {
    let folder = "\(Project.productsFolder)/without-libav-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    for name in [
      "wirephoto", "wirephoto-image-decoder", "wirephoto-heif-decoder", "wirephoto-page-reader",
    ] {
      try FileManager.default.linkItem(
        atPath: try Project.program(name), toPath: "\(folder)/\(name)")
    }
    return folder
  }

  private func manifest(_ site: borrowing JobSite, _ id: String) throws -> [String: Any] {
    let bytes = try FileBytes.read(site.root.path(of: "jobs/outbox/\(id)/manifest.json"))
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  private func codes(_ site: borrowing JobSite, _ id: String) throws -> [String] {
    let problems = try manifest(site, id)["problems"] as? [[String: Any]] ?? []
    return problems.compactMap { $0["code"] as? String }
  }

  /// What the manifest says of each attachment, but for how its source was had.
  private func attachments(_ site: borrowing JobSite, _ id: String) throws -> [NSDictionary] {
    try #require(try manifest(site, id)["attachments"] as? [[String: Any]]).map { attachment in
      var attachment = attachment
      var source = attachment["source"] as? [String: Any] ?? [:]
      source["cache"] = nil
      attachment["source"] = source
      return attachment as NSDictionary
    }
  }

  @Test func `a second job for the same film and sound decodes nothing`() async throws {
    let site = try JobSite.make()
    try await site.submit("first", image: nil, more: ["media": addresses(site)])
    #expect(try await site.drain().ending == .exited(0))
    let first = try attachments(site, "first")
    #expect(first.count == 4)
    let programs = try programsWithoutLibav()
    defer { try? FileManager.default.removeItem(atPath: programs) }
    try await site.submit("second", image: nil, more: ["media": addresses(site)])
    try await site.submit(
      "other", image: nil, more: ["media": addresses(site), "profiles": ["90x90"]])
    var worker = try site.worker()
    worker.program = "\(programs)/wirephoto"
    #expect(try await worker.run(limit: .seconds(120)).ending == .exited(0))
    #expect(try attachments(site, "second") == first)
    #expect(try codes(site, "second") == codes(site, "first"))
    // The programs cannot decode: of what no job had before, only a file without pictures is there.
    #expect(try attachments(site, "other").count == 1)
    #expect(site.origin.requests.count == Self.media.count)
  }

  @Test func `what was damaged in the cache is made again`() async throws {
    let site = try JobSite.make()
    try await site.submit("first", image: nil, more: ["media": addresses(site)])
    #expect(try await site.drain().ending == .exited(0))
    let first = try attachments(site, "first")
    let objects = site.root.path(of: "cache/objects")
    let files = try FileManager.default.subpathsOfDirectory(atPath: objects).filter {
      $0.contains(".")
    }
    // Two posters, a cover, and three files.
    #expect(files.count == 6)
    for file in files { try FileManager.default.removeItem(atPath: "\(objects)/\(file)") }
    try await site.submit("second", image: nil, more: ["media": addresses(site)])
    #expect(try await site.drain().ending == .exited(0))
    #expect(try attachments(site, "second") == first)
  }

  @Test func `the media of one payload are fetched side by side`() async throws {
    let site = try JobSite.make()
    try await site.submit(
      "job", image: nil,
      more: ["media": Self.media.map { site.origin.url("\($0)?stall=50") }, "ttlSeconds": 50])
    let worker = try site.worker([]).start()
    // None of them ends: one after the other, the second request would wait for the deadline.
    try await site.origin.waitForRequests(4)
    #expect(try site.names("outbox").isEmpty)
    worker.send(SIGTERM)
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(60))).ending == .exited(0))
  }

  @Test func `attachments keep the payload's order, whichever comes first`() async throws {
    let site = try JobSite.make()
    let media = Self.media.enumerated().map { index, path in
      site.origin.url("\(path)?delay=\((3 - index) * 150)")
    }
    try await site.submit("job", image: nil, more: ["media": media])
    #expect(try await site.drain().ending == .exited(0))
    let found = try attachments(site, "job")
    #expect(
      found.map { $0["identifier"] as? String } == ["media1", "media2", "media3", "media4"])
    let formats = found.map { ($0["source"] as? [String: Any])?["format"] as? String }
    #expect(formats == ["mov", "mp3", "webm", "wav"])
  }

  /// The only frames that tell something come after 50 s of dark ones, and none but the first is a key
  /// frame: two seconds do not reach them.
  @Test(.enabled(if: TestScale.isNightly))
  func `a poster chosen in a hurry is chosen again when there is time`() async throws {
    let folder = try TemporaryDirectory()
    let made = try await Command.tool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i",
        "testsrc2=s=1920x1080:r=25:d=53,eq=brightness=-0.9:enable='lt(t,50)'", "-c:v", "libx264",
        "-preset", "ultrafast", "-crf", "40", "-g",
        "9999", "-sc_threshold", "0", "-pix_fmt", "yuv420p", folder.path(of: "late.mp4"),
      ]
    ).run(limit: .seconds(300))
    try #require(made.ending == .exited(0), "\(made.errorText)")
    let site = try JobSite.make(serving: folder.path(of: ""))
    let media = [site.origin.url("/late.mp4?cache=max-age%3D3600")]
    try await site.submit("hurried", image: nil, more: ["media": media, "ttlSeconds": 2])
    #expect(try await site.drain().ending == .exited(0))
    try await site.submit("patient", image: nil, more: ["media": media])
    #expect(try await site.drain(["--deadline", "60s"]).ending == .exited(0))
    let renditions = try #require(
      try attachments(site, "patient").first?["renditions"] as? [[String: Any]])
    let file = try #require(renditions.first { $0["role"] as? String == "media" })
    let options = try #require(file["options"] as? [String: Any])
    #expect(try #require(options["thumbnailTime"] as? Double) >= 49)
  }
}
