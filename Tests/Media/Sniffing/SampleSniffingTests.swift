import Media
import TestSupport
import Testing

@Suite struct SampleSniffingTests {
  @Test("A sample's bytes tell its format, whatever its name", arguments: Samples.all)
  func format(sample: Sample) throws {
    #expect(MediaFormat.sniff(try FileBytes.head(of: sample.path)) == sample.format)
  }

  @Test(
    "APNG, animated GIF, WebP and AVIF are told from stills",
    arguments: Samples.folder("png", "gif", "webp", "heic", "avif"))
  func animation(sample: Sample) throws {
    let bytes = try FileBytes.read(sample.path)
    #expect(sample.format.announcesAnimation(bytes) == (sample.frames > 1))
  }

  @Test func `Every kind of media has samples that become something`() {
    let formats = Set(
      Samples.all.filter { $0.outcome == .picture || $0.outcome == .sound }.map(\.format))
    let kinds: [MediaFormat] = [
      .jpeg, .png, .gif, .heic, .avif, .webp, .mp4, .mov, .m4a, .mp3, .aac, .wav, .aiff, .flac,
      .ogg, .avi, .mpeg, .webm, .mkv,
    ]
    #expect(formats.isSuperset(of: kinds))
    #expect(Set(Samples.all.map(\.format)).isSuperset(of: MediaFormat.allCases))
  }

  @Test func `The catalogue names every file once, and no other`() throws {
    let names = Samples.all.map(\.name)
    #expect(Set(names).count == names.count)
    // What must come of cut files is no sample.
    let files = try Project.files(under: "media-samples").filter { !$0.hasPrefix("partial/") }
    #expect(Set(files).subtracting(["README.md", "samples.json"]) == Set(names))
  }
}
