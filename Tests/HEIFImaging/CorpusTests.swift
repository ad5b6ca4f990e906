import HEIFImaging
import Imaging
import Media
import TestSupport
import Testing

@Suite("HEIC and AVIF of others") struct CorpusTests {
  /// Valid, but not read by libheif 1.15.
  private static let unread = [
    "alpha_noispe.avif": "the alpha item has no size", "sample-garbled.avif": "no size",
    "clap_irot_imir_non_essential.avif": "a mirrored picture of 10 bits",
    "draw_points_idat_metasize0.avif": "a meta box without a size",
    "draw_points_idat_progressive_metasize0.avif": "a meta box without a size",
    "pyramid_pymd.avif": "a meta box without a size",
  ]

  private static let files =
    Corpus.files(format: "heic") + Corpus.files(format: "avif")

  @Test("Every good file is decoded, in the declared size", arguments: files)
  func good(_ entry: Corpus.Entry) throws {
    guard ["ok", "odd-but-valid", "mismatch extension"].contains(entry.category) else { return }
    guard !Self.unread.keys.contains(where: { entry.name.hasSuffix("/\($0)") }) else {
      #expect(throws: DecodeFailure.self) { try decode(path: entry.path) }
      return
    }
    let decoded = try decode(path: entry.path)
    #expect(decoded.raster.size == decoded.header.facts.storedSize)
    #expect(decoded.header.facts.format.rawValue == entry.format)
  }

  @Test("Every other file gives a typed failure", arguments: files)
  func bad(_ entry: Corpus.Entry) {
    guard ["truncated", "malformed", "bomb"].contains(entry.category) else { return }
    #expect(throws: DecodeFailure.self) { try decode(path: entry.path) }
  }
}
