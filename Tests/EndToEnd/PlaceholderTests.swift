import Foundation
import Glibc
import Media
import Origin
import TestSupport
import Testing

/// The picture of jobs whose own cannot be had (`--placeholder`).
@Suite(.timeLimit(.minutes(15))) struct PlaceholderTests {
  private static let file = Project.path("media-samples/png/rgb-8.png")

  @Test("A placeholder stands for a picture that cannot be had, with the reason")
  func placeholder() async throws {
    let site = try JobSite.make()
    try await site.submit("gone", image: "/jpeg/baseline.jpg?status=404")
    try await site.submit("silent", image: "/jpeg/large.jpg?silent", more: ["ttlSeconds": 3])
    try await site.submit("text", image: nil)
    try await site.submit("whole", image: "/jpeg/progressive.jpg")
    try await site.drain(["--placeholder", Self.file])
    for (id, code) in [("gone", "httpStatus"), ("silent", "downloadTimeout")] {
      let manifest = try site.manifest(id)
      #expect(manifest.content.status == "degraded")
      #expect(manifest.codes == [code, "noPicture"])
      let attachment = try #require(manifest.content.attachments.first)
      #expect(attachment.rung == "placeholder")
      #expect(attachment.source.url == nil)
      #expect(try await PixelMap.decode(manifest.path(manifest.rendition())).width == 150)
      #expect(manifest.content.timing.finished < manifest.content.timing.deadline)
    }
    let text = try site.manifest("text").content
    #expect(text.status == "complete" && text.attachments.isEmpty)
    #expect(try site.manifest("whole").content.attachments.map(\.rung) == ["full"])
  }

  @Test("A job that there is no time for gets the placeholder too")
  func late() async throws {
    let site = try JobSite.make()
    try await site.submit("slow", image: "/jpeg/large.jpg?silent", more: ["ttlSeconds": 60])
    let worker = try site.worker(["--drain", "--parallel", "1", "--placeholder", Self.file])
      .start()
    try await site.origin.waitForRequests(1)
    try await site.submit("late", image: "/jpeg/baseline.jpg", more: ["ttlSeconds": 4])
    try await site.waitForOutbox("late")
    let manifest = try site.manifest("late")
    #expect(manifest.content.status == "degraded")
    #expect(manifest.content.attachments.map(\.rung) == ["placeholder"])
    #expect(manifest.codes == ["deadlineExceeded"])
    #expect(manifest.content.problems.map(\.stage) == ["intake"])
    #expect(try await PixelMap.decode(manifest.path(manifest.rendition())).width == 150)
    #expect(site.origin.requests.count == 1)
    worker.send(SIGTERM)
    worker.send(SIGTERM)
    _ = try await worker.finish(by: .after(.seconds(120)))
  }

  @Test(
    "A placeholder that is no picture is told at once",
    arguments: ["media-samples/samples.json", "media-samples/audio/cover.mp3", "nowhere.png"])
  func unusable(path: String) async throws {
    let site = try JobSite.make()
    let outcome = try await site.drain(["--placeholder", Project.path(path)])
    #expect(outcome.ending == .exited(2))
    #expect(outcome.errorText.contains("--placeholder"))
  }
}
