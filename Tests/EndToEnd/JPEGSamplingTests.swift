import Foundation
import TestSupport
import Testing

/// Chroma at every ratio, beside libjpeg's own decoder and the original.
@Suite(.timeLimit(.minutes(15))) struct JPEGSamplingTests {
  static let samplings = [
    "1x1", "2x1", "1x2", "2x2", "4x1", "1x4", "4x2", "2x4", "3x1", "1x3", "3x2", "2x1,1x2,1x1",
    "2x2,2x1,1x1", "2x2,1x2,1x2", "3x2,1x1,1x2", "1x1,2x2,1x1",
  ]

  @Test("Each sampling is as near to the original as djpeg's reading of it", arguments: samplings)
  func everyRatio(sampling: String) async throws {
    try await compare(sampling, width: 61, height: 47, slack: 0.5)
    try await compare(sampling, width: 160, height: 120, slack: 0.5)
  }

  @Test("Pictures of 1 to 9 pixels are whole", arguments: 1...9)
  func narrow(width: Int) async throws {
    for sampling in ["1x1", "2x1", "2x2", "1x2", "4x1"] {
      try await compare(sampling, width: width, height: 10 - width, slack: 3)
      try await compare(sampling, width: width, height: 33, slack: 3)
    }
  }

  @Test("12 bits a sample are refused by name")
  func twelveBits() async throws {
    let folder = try TemporaryDirectory()
    var bytes = try FileBytes.read(Project.path("media-samples/jpeg/baseline.jpg"))
    let frame = try #require(
      bytes.indices.dropLast(4).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    // Extended sequential, and its precision.
    (bytes[frame + 1], bytes[frame + 4]) = (0xC1, 12)
    let path = try folder.write(bytes, to: "deep.jpg")
    let outcome = try await Command.built(
      "wirephoto", ["render", path, "-o", folder.path(of: "out.png")]
    ).run()
    #expect(outcome.ending == .exited(1))
    #expect(outcome.errorText.contains("unsupportedFormat"), "\(outcome.errorText)")
    #expect(outcome.errorText.contains("12"), "\(outcome.errorText)")
  }

  private func compare(
    _ sampling: String, width: Int, height: Int, slack: Double
  ) async throws {
    let folder = try TemporaryDirectory()
    let original = Self.waves(width: width, height: height)
    let jpeg = folder.path(of: "picture.jpg")
    let made = try await Command.tool(
      "cjpeg", ["-quality", "98", "-sample", sampling, "-outfile", jpeg],
      input: Array("P6\n\(width) \(height)\n255\n".utf8) + original.samples
    ).run()
    #expect(made.ending == .exited(0), "\(made.errorText)")
    let (ours, theirs) = (folder.path(of: "ours.png"), folder.path(of: "theirs.ppm"))
    let rendered = try await Command.built(
      "wirephoto", ["render", jpeg, "-o", ours, "--max-bytes", "0"]
    ).run()
    #expect(rendered.ending == .exited(0), "\(rendered.errorText)")
    _ = try await Command.tool("djpeg", ["-outfile", theirs, jpeg]).run()
    let picture = try await PixelMap.decode(ours)
    #expect(picture.width == width && picture.height == height)
    let quality = try #require(picture.psnr(to: original))
    let reference = try #require(try await PixelMap.decode(theirs).psnr(to: original))
    #expect(quality >= reference - slack, "\(sampling) \(width)x\(height)")
  }

  private static func waves(width: Int, height: Int) -> PixelMap {
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        samples.append(UInt8(128 + 100 * sin(Double(x) / 5 + Double(y) / 9)))
        samples.append(UInt8(128 + 90 * cos(Double(x) / 7)))
        samples.append(UInt8(128 + 80 * sin(Double(y) / 6)))
      }
    }
    return PixelMap(width: width, height: height, components: 3, samples: samples)
  }
}
