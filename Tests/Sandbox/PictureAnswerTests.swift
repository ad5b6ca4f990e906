import Files
import Media
import Sandbox
import Testing

/// Answers to picture requests that the parent must not believe.
@Suite(.timeLimit(.minutes(15)))
struct PictureAnswerTests {
  static let request = RenderRequest(
    operation: .render,
    renditions: [
      RenderRequest.Rendition(
        box: PixelSize(width: 100, height: 50), fit: .contain, stillBudget: nil,
        animatedBudget: nil)
    ])

  @Test(arguments: [
    "picture-beyond-output", "picture-empty", "picture-wrong-index", "picture-negative-index",
    "picture-too-large", "picture-many-frames", "picture-twice", "garbage",
  ]) func `an answer that cannot be is a violation`(_ behaviour: String) async throws {
    let children = try HostileChildren()
    let input = try unsafe MemoryFile.sealed("input", holding: Array(behaviour.utf8).span.bytes)
    do throws(ChildFailure) {
      _ = try await children.supervisor.render(
        Self.request, family: .image, input: input, deadline: .after(.seconds(20)))
      Issue.record("believed")
    } catch {
      guard case .protocolViolation = error else {
        Issue.record("\(error)")
        return
      }
    }
    await children.supervisor.stop()
  }

  @Test func `an empty answer is an answer`() async throws {
    let children = try HostileChildren()
    let input = try unsafe MemoryFile.sealed(
      "input", holding: Array("picture-nothing".utf8).span.bytes)
    let result = try await children.supervisor.render(
      Self.request, family: .image, input: input, deadline: .after(.seconds(20)))
    #expect(result.reply == RenderReply())
    #expect(try result.output.size() == 0)
    await children.supervisor.stop()
  }

  /// The output holds a JPEG start at 0 and a PNG start at 10.
  static let output: [UInt8] =
    [0xff, 0xd8, 0xff, 0xe0] + [UInt8](repeating: 0, count: 6)
    + [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]

  static func rendition(
    _ format: MediaFormat = .jpeg, _ width: Int = 100, _ height: Int = 50,
    bytes: Range<Int> = 0..<10
  ) -> RenderReply.Rendition {
    RenderReply.Rendition(
      requestIndex: 0, format: format, size: PixelSize(width: width, height: height), frames: 1,
      bytes: bytes)
  }

  private func check(
    _ rendition: RenderReply.Rendition, fit: RenditionProfile.Fit = .contain,
    operation: RenderRequest.Operation = .render
  ) throws {
    var request = Self.request
    request.operation = operation
    request.renditions[0].fit = fit
    let output = try unsafe MemoryFile.sealed("output", holding: Self.output.span.bytes)
    try RenderReply(renditions: [rendition]).check(against: request, output: output)
  }

  @Test func `a picture within its box is believed`() throws {
    try check(Self.rendition())
    try check(Self.rendition(.png, 1, 100, bytes: 10..<20))
    try check(Self.rendition(.jpeg, 100, 50), fit: .cover)
  }

  @Test func `a picture beyond its box is not`() {
    #expect(throws: ChildFailure.self) { try check(Self.rendition(.jpeg, 100, 101)) }
    #expect(throws: ChildFailure.self) { try check(Self.rendition(.jpeg, 50, 51), fit: .cover) }
  }

  @Test(arguments: [
    (MediaFormat.png, 0..<10), (.jpeg, 10..<20), (.gif, 0..<10), (.webp, 0..<10), (.jpeg, 0..<2),
    (.jpeg, 0..<21), (.jpeg, 20..<20),
  ]) func `bytes that are not the format, or not there, are no picture`(
    _ format: MediaFormat, _ bytes: Range<Int>
  ) {
    #expect(throws: ChildFailure.self) { try check(Self.rendition(format, bytes: bytes)) }
  }

  private func check(_ reply: RenderReply, attachment: AttachmentRules?) throws {
    var request = Self.request
    request.attachment = attachment
    let film: [UInt8] = [0, 0, 0, 16] + Array("ftypmp42".utf8) + [0, 0, 0, 0]
    let output = try unsafe MemoryFile.sealed("output", holding: (Self.output + film).span.bytes)
    try reply.check(against: request, output: output)
  }

  @Test func `a cover and a playable file are believed where they are`() throws {
    let reply = RenderReply(
      cover: .init(format: .png, bytes: 10..<20), attachment: .init(format: .mp4, bytes: 20..<36))
    try check(reply, attachment: .apple)
    #expect(throws: ChildFailure.self) { try check(reply, attachment: nil) }
  }

  @Test(arguments: [
    (MediaFormat.png, 0..<10), (.png, 10..<10), (.png, 10..<37), (.mp4, 20..<36),
  ]) func `a cover that is no picture, or not there, is not`(
    _ format: MediaFormat, _ bytes: Range<Int>
  ) {
    let reply = RenderReply(cover: .init(format: format, bytes: bytes))
    #expect(throws: ChildFailure.self) { try check(reply, attachment: .apple) }
  }

  @Test func `a probe has no pictures`() {
    #expect(throws: ChildFailure.self) { try check(Self.rendition(), operation: .probe) }
  }
}
