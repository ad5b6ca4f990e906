import HEIFImaging
import Imaging
import Media
import TestSupport
import Testing

@Suite("HEIC and AVIF of others") struct CorpusTests {
  /// Files that other decoders refuse too.
  private static let refused = [
    "alpha_noispe.avif": "the alpha item has no size",
    "sample-garbled.avif": "an item has no size",
    "color_grid_alpha_grid_tile_shared_in_dimg.avif": "tiles of different kinds",
  ]

  private static let files =
    Corpus.files(format: "heic") + Corpus.files(format: "avif")

  @Test("Every good file is decoded, in the declared size", arguments: files)
  func good(_ entry: Corpus.Entry) throws {
    guard ["ok", "odd-but-valid", "mismatch extension"].contains(entry.category) else { return }
    guard !Self.refused.keys.contains(where: { entry.name.hasSuffix("/\($0)") }) else {
      #expect(throws: DecodeFailure.self) { try decode(path: entry.path) }
      return
    }
    let decoded = try decode(path: entry.path)
    #expect(decoded.raster.size == decoded.header.rasterSize)
    #expect(decoded.header.facts.format.rawValue == entry.format)
  }

  @Test("Every other file gives a typed failure", arguments: files)
  func bad(_ entry: Corpus.Entry) {
    guard ["truncated", "malformed", "bomb"].contains(entry.category), entry.decode != "ok" else {
      return
    }
    #expect(throws: DecodeFailure.self) { try decode(path: entry.path) }
  }
}
