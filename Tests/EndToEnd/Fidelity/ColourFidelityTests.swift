import TestSupport
import Testing

/// Colours of every statement that pictures are met with, beside an independent conversion: lcms2
/// through Pillow, or the published formulas (matrix profiles of 16 bits, gamma, PQ and HLG).
@Suite(.timeLimit(.minutes(10))) struct ColourFidelityTests {
  private struct Sample {
    let path: String
    let format: String
  }

  private func makeSamples(in folder: String) async throws -> [Sample] {
    let outcome = try await Command(
      "/usr/bin/python3", [ReferenceMeasure.script("colour_samples.py"), folder]
    ).run()
    try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
    return outcome.lines.map { line in
      let fields = line.split(separator: "\t").map { String($0) }
      return Sample(path: fields[0], format: fields[1])
    }
  }

  @Test("CIEDE2000 is at most 1 in the mean and 3 at the 95th percentile")
  func distances() async throws {
    let folder = try TemporaryDirectory()
    let samples = try await makeSamples(in: try folder.makeFolder("samples"))
    #expect(samples.count >= 25)
    let renditions = try await Rendering.run(samples.map(\.path), in: folder)
    let pairs = try zip(samples, renditions).map { sample, rendition in
      ReferenceMeasure.Pair(
        path: sample.path, format: sample.format,
        rendition: try #require(rendition.file, "\(sample.path): \(rendition.problems)"))
    }
    let measures = try await ReferenceMeasure.run(pairs)
    for sample in samples {
      let measure = try #require(measures[sample.path], "\(sample.path) cannot be read")
      #expect(measure.size == measure.expectedSize)
      #expect(measure.meanDistance <= 1, "\(sample.path)")
      #expect(measure.distance95 <= 3, "\(sample.path)")
    }
    let means = measures.values.map(\.meanDistance)
    print(
      "Colour: \(samples.count) samples, CIEDE2000 at most \(means.max() ?? 0) in the mean of one, "
        + "\(measures.values.map(\.distance95).max() ?? 0) at its 95th percentile; "
        + "\(means.reduce(0, +) / Double(max(1, means.count))) in the mean of all")
  }
}
