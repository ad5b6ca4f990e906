import Files
import Foundation
import Media
import Sandbox
import TestSupport
import Testing

/// Animations through the built programs.
@Suite(.timeLimit(.minutes(10))) struct AnimationTests {
  @Test(
    "A job's animation becomes a GIF for phones and stills for the rest, and the cache keeps them",
    arguments: ["/gif/animated.gif", "/png/animated.png", "/webp/animated.webp"])
  func job(address: String) async throws {
    let site = try JobSite.make()
    for id in ["first", "second"] {
      try await site.submit(
        id, image: address + "?cache=max-age%3D600",
        more: ["profiles": ["iphone", "ipad", "thumb", "android"]])
      #expect(try await site.drain().ending == .exited(0))
      let manifest = try site.manifest(id).content
      #expect(manifest.status == "complete", "\(manifest.problems)")
      let attachment = try #require(manifest.attachments.first)
      let frames = address == "/png/animated.png" ? 6 : 8
      #expect(attachment.renditions.map(\.frames) == [frames, frames, 1, 1])
      let types = attachment.renditions.map(\.typeIdentifier)
      #expect(types.prefix(2) == ["com.compuserve.gif", "com.compuserve.gif"])
      #expect(!types.dropFirst(2).contains("com.compuserve.gif"))
      #expect(attachment.source.cache == (id == "first" ? "miss" : "hit"))
    }
  }

  @Test("render makes a GIF unless a still is asked for") func formats() async throws {
    let folder = try TemporaryDirectory()
    let sample = Project.path("media-samples/gif/animated.gif")
    for (format, signature) in [("auto", "GIF89a"), ("gif", "GIF89a"), ("png", "\u{89}PNG")] {
      let path = folder.path(of: format)
      let outcome = try await Command.built(
        "wirephoto", ["render", sample, "-o", path, "--format", format]
      ).run()
      #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
      let name = "\(path).\(format == "auto" ? "gif" : format)"
      let start = try FileBytes.read(name).prefix(signature.unicodeScalars.count)
      #expect(Array(start) == signature.unicodeScalars.map { UInt8($0.value) })
    }
  }

  @Test("More frames than are allowed are refused") func tooManyFrames() async throws {
    let folder = try TemporaryDirectory()
    let sample = Project.path("media-samples/gif/animated.gif")
    let outcome = try await Command.built(
      "wirephoto", ["render", sample, "-o", folder.path(of: "out"), "--max-frames", "7"]
    ).run()
    #expect(outcome.ending == .exited(1))
    #expect(outcome.errorText.contains("tooManyFrames"))
  }

  @Test("500 frames take no more memory than four canvases and 16 MB") func memory() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path(of: "long.gif")
    let (width, height) = (480, 360)
    let made = try await Command.tool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(width)x\(height):rate=20",
        "-frames:v", "500", path,
      ]
    ).run()
    try #require(made.ending == .exited(0), "\(made.errorText)")
    let supervisor = try ChildSupervisor(
      ChildConfiguration(directories: [Project.productsFolder]))
    let input = try Descriptor.open(path, flags: O_RDONLY)
    let result = try await supervisor.render(
      RenderRequest(
        operation: .render,
        renditions: [RenderRequest.Rendition(.iphone), RenderRequest.Rendition(.thumb)],
        time: .seconds(60)),
      family: .image, input: input, deadline: .after(.seconds(90)))
    let animation = try #require(result.reply.renditions.first)
    #expect(animation.format == .gif && animation.bytes.count <= 5_000_000)
    #expect(result.reply.facts?.frames == 500)
    let peak = try #require(result.usage.peakBytes)
    print(
      "500 frames of \(width)x\(height): \(animation.frames) frames written, peak \(peak) bytes")
    #expect(peak <= 4 * width * height * 4 + 16_000_000)
  }
}
