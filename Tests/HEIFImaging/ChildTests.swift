import Files
import Glibc
import Media
import Sandbox
import TestSupport
import Testing

/// The decoder's real process, under its limits and its filter.
@Suite("HEIC and AVIF in their child", .timeLimit(.minutes(15))) struct ChildTests {
  private static let request = RenderRequest(
    operation: .render, renditions: [RenderRequest.Rendition(.iphone)])

  private func render(
    _ file: borrowing Descriptor, by supervisor: ChildSupervisor
  ) async throws -> RenderResult {
    try await supervisor.render(
      Self.request, family: .heif, input: file, deadline: .after(.seconds(120)))
  }

  private func sealed(_ bytes: [UInt8]) throws -> Descriptor {
    let span = bytes.span
    return unsafe try MemoryFile.sealed("picture", holding: span.bytes)
  }

  @Test("Both codecs, deep, transparent and turned pictures come out of the child")
  func kinds() async throws {
    let opaque = TestPicture.quadrants(width: 64, height: 48)
    let transparent = TestPicture.waves(width: 64, height: 48, hasAlpha: true)
    let files = [
      try await opaque.heic(), try await opaque.avif("--irot", "1"),
      try await opaque.avif("-d", "10"), try await transparent.heic(), try await transparent.avif(),
    ]
    let supervisor = try ChildSupervisor(ChildConfiguration())
    for bytes in files {
      let file = try sealed(bytes)
      let result = try await render(file, by: supervisor)
      #expect(result.reply.problems == [])
      let facts = try #require(result.reply.facts)
      let rendition = try #require(result.reply.renditions.first)
      #expect(rendition.format == (facts.hasAlpha ? .png : .jpeg))
      #expect(rendition.size == facts.storedSize)
    }
    await supervisor.stop()
  }

  @Test("A turned picture is turned once")
  func turned() async throws {
    let bytes = try await TestPicture.quadrants(width: 64, height: 48).avif("--irot", "1")
    let file = try sealed(bytes)
    let supervisor = try ChildSupervisor(ChildConfiguration())
    let result = try await render(file, by: supervisor)
    let rendition = try #require(result.reply.renditions.first)
    let folder = try TemporaryDirectory()
    let path = try folder.write(try result.output.bytes(rendition.bytes), to: "out.jpg")
    let map = try await PixelMap.decode(path)
    #expect([map.width, map.height] == [48, 64])
    // Anti-clockwise: green, white above; red, blue below.
    #expect(map[12, 16][1] > 150 && map[12, 16][0] < 100)
    #expect(map[36, 48][2] > 150 && map[36, 48][0] < 100)
    await supervisor.stop()
  }

  @Test("No file of others brings the child down")
  func corpus() async throws {
    let files = Corpus.files(format: "heic") + Corpus.files(format: "avif")
    let supervisor = try ChildSupervisor(ChildConfiguration())
    for entry in files {
      let file = try Descriptor.open(entry.path, flags: O_RDONLY)
      let result = try await render(file, by: supervisor)
      let errors = result.reply.problems.filter { $0.severity == .error }
      #expect(errors.isEmpty == !result.reply.renditions.isEmpty, "\(entry): \(errors)")
      if entry.category == "ok" { #expect(errors.isEmpty, "\(entry): \(errors)") }
    }
    await supervisor.stop()
  }
}
