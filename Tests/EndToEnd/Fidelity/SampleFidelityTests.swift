import Media
import TestSupport
import Testing

/// Our own samples beside what independent decoders show: every type and depth of PNG, GIF, grids,
/// alpha, 10 and 12 bits, crops, turns and mirrors of HEIC and AVIF, WebP with profile and Exif.
@Suite(.timeLimit(.minutes(10))) struct SampleFidelityTests {
  private static let samples = Samples.all.filter { sample in
    sample.outcome == .picture
      && [.jpeg, .png, .gif, .webp, .heic, .avif].contains(sample.format)
  }

  @Test("Every sample looks as others show it")
  func pictures() async throws {
    let folder = try TemporaryDirectory()
    let renditions = try await Rendering.run(Self.samples.map(\.path), in: folder)
    let measures = try await ReferenceMeasure.run(
      zip(Self.samples, renditions).compactMap { sample, rendition in
        rendition.file.map {
          .init(path: sample.path, format: sample.format.rawValue, rendition: $0)
        }
      })
    var verdicts = FidelityVerdicts(exceptions: try FidelityExceptions.load())
    for (sample, rendition) in zip(Self.samples, renditions) {
      verdicts.judge("media-samples/\(sample.name)", rendition, measures[sample.path])
    }
    #expect(verdicts.failures == [])
  }

  @Test("No output holds metadata or a profile of its source")
  func metadata() async throws {
    let folder = try TemporaryDirectory()
    for format in ["png", "jpeg", "gif"] {
      let part = try folder.makeFolder(format)
      try await Rendering.run(Self.samples.map(\.path), in: folder, format: format, to: part)
    }
    let outcome = try await Command.tool(
      "exiftool", ["-q", "-G1", "-a", "-u", "-j", "-r", folder.path]
    ).run()
    #expect(outcome.text.split(separator: "SourceFile").count > Self.samples.count * 2)
    for group in [
      "GPS:", "IFD0:", "IFD1:", "ExifIFD:", "XMP", "IPTC", "Photoshop:", "Comment", "ICC",
      "Adobe:", "MPF", "PNG:Text",
    ] {
      #expect(!outcome.text.contains("\"\(group)"), "\(group)")
    }
  }
}
