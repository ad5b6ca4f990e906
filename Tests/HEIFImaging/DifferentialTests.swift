import HEIFImaging
import TestSupport
import Testing

/// Beside libheif, which reads the same files with code of its own above the codecs.
@Suite("HEIC and AVIF beside libheif") struct DifferentialTests {
  /// Small enough to be compared sample by sample in a test.
  private static let files =
    (Corpus.files(format: "heic") + Corpus.files(format: "avif")).filter {
      $0.size < 200_000 && $0.decode == "ok"
    }

  /// What libheif 1.15 reads otherwise than the formats have it.
  private static let exceptions = [
    "abc_color_irot_alpha_NOirot.avif": "it drops an alpha plane that is not turned too",
    "clop_irot_imor.avif": "the same",
    "draw_points_idat_metasize0.avif": "it does not know a meta box without a size",
    "draw_points_idat_progressive_metasize0.avif": "the same",
    "clap_irot_imir_non_essential.avif": "it mirrors 8 bits only",
    "invalid_id.heic": "its tool writes another item",
  ]

  @Test("Pictures are the same", arguments: files)
  func same(_ entry: Corpus.Entry) async throws {
    guard !Self.exceptions.keys.contains(where: { entry.name.hasSuffix("/\($0)") }) else { return }
    let folder = try TemporaryDirectory()
    let target = folder.path(of: "out.png")
    let outcome = try await Command.tool("heif-convert", [entry.path, target]).run()
    guard outcome.ending == .exited(0), let theirs = try? await PixelMap.decode(target) else {
      return
    }
    let ours = try decode(path: entry.path).pixels.coloured
    let ratio = try #require(ours.psnr(to: theirs), "\(ours.width) × \(ours.height)")
    // Colour is interpolated between samples here, repeated there; limited gray is expanded here.
    #expect(ratio >= 36)
  }
}

extension PixelMap {
  /// Gray as red, green and blue.
  fileprivate var coloured: PixelMap {
    guard components < 3 else { return self }
    let samples = stride(from: 0, to: samples.count, by: components).flatMap { start in
      let gray = self.samples[start]
      return [gray, gray, gray] + self.samples[start + 1..<start + components]
    }
    return PixelMap(width: width, height: height, components: components + 2, samples: samples)
  }
}
