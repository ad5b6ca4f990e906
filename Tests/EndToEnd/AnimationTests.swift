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

  /// A long animation, drawn by ffmpeg.
  struct Long: CustomStringConvertible, Sendable {
    let format: String
    let width: Int
    let height: Int

    var description: String { "\(width)x\(height) \(format)" }

    /// By day one, by night each size in each format.
    static let all =
      TestScale.isNightly
      ? [(480, 360), (1080, 1080), (1920, 1080)].flatMap { width, height in
        ["gif", "png", "webp"].map { Long(format: $0, width: width, height: height) }
      } : [Long(format: "gif", width: 480, height: 360)]

    private var coder: [String] {
      switch format {
      case "gif": ["-f", "gif"]
      case "png": ["-f", "apng", "-plays", "0", "-pred", "none", "-compression_level", "1"]
      default: ["-c:v", "libwebp_anim", "-quality", "30", "-compression_level", "0", "-loop", "0"]
      }
    }

    func draw(frames: Int, in folder: borrowing TemporaryDirectory) async throws -> String {
      let path = folder.path(of: "\(frames).\(format)")
      let made = try await Command.tool(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(width)x\(height):rate=20",
          "-frames:v", "\(frames)",
        ] + coder + [path]
      ).run(limit: .seconds(600))
      try #require(made.ending == .exited(0), "\(made.errorText)")
      return path
    }
  }

  @Test(
    "500 frames take no more memory than four canvases and 16 MB, nor more than 50 do",
    arguments: Long.all)
  func memory(animation: Long) async throws {
    let folder = try TemporaryDirectory()
    let supervisor = try ChildSupervisor(
      ChildConfiguration(directories: [Project.productsFolder]))
    func peak(_ path: String, frames: Int) async throws -> Int {
      let result = try await supervisor.render(
        RenderRequest(
          operation: .render,
          renditions: [RenderRequest.Rendition(.iphone), RenderRequest.Rendition(.thumb)],
          time: .seconds(60)),
        family: .image, input: try Descriptor.open(path, flags: O_RDONLY),
        deadline: .after(.seconds(90)))
      #expect(result.reply.facts?.frames == frames)
      let made = try #require(result.reply.renditions.first, "\(result.reply.problems)")
      #expect(made.bytes.count <= 5_000_000)
      #expect(made.format == .gif || made.bytes.count <= 500_000)
      return try #require(result.usage.peakBytes)
    }
    let empty = try await peak(Project.path("media-samples/gif/still.gif"), frames: 1)
    let few = try await peak(try await animation.draw(frames: 50, in: folder), frames: 50)
    let path = try await animation.draw(frames: 500, in: folder)
    let many = try await peak(path, frames: 500)
    let size = try Descriptor.open(path, flags: O_RDONLY).size()
    print(
      "\(animation): \(few) bytes for 50 frames, \(many) for 500, \(empty) for none, file \(size)")
    let canvas = animation.width * animation.height * 4
    // libwebp's demuxer has the whole file mapped and touches each frame's head, around which the
    // system maps what it holds of the file: pages that it takes back when it needs them.
    let mapped = animation.format == "webp" ? size : 0
    #expect(many - empty <= 4 * canvas + 16_000_000 + mapped)
    #expect(many - few <= 4_000_000 + mapped)
    if animation.width == 480 { #expect(many <= 4 * canvas + 16_000_000 + mapped) }
  }
}
