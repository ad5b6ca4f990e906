import TestSupport
import Testing

/// How a rendition compares with an independent decode of its source.
struct ReferenceMeasure {
  struct Pair {
    var path: String
    var format: String
    var rendition: String
  }

  var expectedSize: [Int]
  var size: [Int]
  /// Whether the box asks for less than the picture's own size.
  var isScaled: Bool
  /// Decibels, the worse of laid on black and on white.
  var psnr: Double
  /// Structural similarity, likewise.
  var ssim: Double
  /// CIEDE2000.
  var meanDistance: Double
  var distance95: Double

  /// Measures by Tests/EndToEnd/Fidelity/reference/measure.py. No entry for what the reference
  /// decoders cannot read.
  static func run(
    _ pairs: [Pair], box: String = "1320x960"
  ) async throws -> [String: ReferenceMeasure] {
    let rows = pairs.map { "\($0.path)\t\($0.format)\t\($0.rendition)\n" }.joined()
    let outcome = try await Command(
      "/usr/bin/python3", [script("measure.py"), box], input: Array(rows.utf8)
    ).run(limit: .seconds(3000))
    try #require(outcome.ending == .exited(0), "\(outcome.errorText.suffix(2000))")
    try #require(outcome.lines.count == pairs.count)
    var measures: [String: ReferenceMeasure] = [:]
    for line in outcome.lines {
      let fields = line.split(separator: "\t")
      if let measure = ReferenceMeasure(fields.dropFirst()) {
        measures[String(fields[0])] = measure
      } else {
        try #require(fields[1] == "unreadable", "\(line)")
      }
    }
    return measures
  }

  static func script(_ name: String) -> String {
    Project.path("Tests/EndToEnd/Fidelity/reference/\(name)")
  }

  /// Columns: expected size, size, scaled, PSNR, SSIM, mean and 95th percentile of the distance.
  private init?(_ columns: ArraySlice<Substring>) {
    let numbers = columns.compactMap { Double($0) }
    guard columns.count == 9, numbers.count == 9 else { return nil }
    expectedSize = numbers[0..<2].map { Int($0) }
    size = numbers[2..<4].map { Int($0) }
    isScaled = numbers[4] == 1
    (psnr, ssim, meanDistance, distance95) = (numbers[5], numbers[6], numbers[7], numbers[8])
  }
}
