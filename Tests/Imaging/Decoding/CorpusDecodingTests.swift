import Foundation
import Imaging
import Media
import TestSupport
import Testing

@Suite(
  "Decoding the corpus",
  .enabled(if: Corpus.shared != nil, "the corpus is not beside the project"),
  .timeLimit(.minutes(10)))
struct CorpusDecodingTests {
  /// Formats of this module, small enough to hold whole.
  static let entries: [Corpus.Entry] = ["jpeg", "png", "gif", "webp"].flatMap { format in
    Corpus.files(format: format).filter { $0.size < 300_000 && ($0.width ?? 0) < 4000 }
  }

  /// Fine for the reference decoder, refused by us on purpose.
  private func isRefused(_ entry: Corpus.Entry) -> Bool {
    // Arithmetic coding; LZW code sizes beyond 8; a wrong Adler sum.
    entry.features.contains { $0.hasPrefix("arith") } || entry.name.hasSuffix("issue_2811.gif")
      || entry.name.hasSuffix("badadler.png")
  }

  @Test(
    "each file is a whole picture of the catalogue's size, or a typed failure", arguments: entries)
  func decodes(_ entry: Corpus.Entry) throws {
    let format = try #require(MediaFormat(rawValue: entry.format))
    let bytes = try FileBytes.read(entry.path)
    let isGood = entry.decode == "ok" && ["ok", "odd-but-valid"].contains(entry.category)
    do {
      let picture = try decodePicture(bytes, as: format)
      let size = picture.header?.facts.storedSize
      if isGood, let width = entry.width, let height = entry.height {
        #expect(size == PixelSize(width: width, height: height))
      }
      if picture.failure == nil { #expect(picture.isWhole) }
      if isGood, !isRefused(entry) { #expect(picture.failure == nil) }
    } catch let failure as DecodeFailure {
      if isGood, !isRefused(entry) { Issue.record("\(failure)") }
    }
  }
}
