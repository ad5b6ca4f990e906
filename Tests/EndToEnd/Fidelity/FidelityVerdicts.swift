import TestSupport

/// The files of the corpus that differ from the reference, each looked at, with the reason.
struct FidelityExceptions {
  /// What is excused: `refused`, `unreadable`, `size`, `psnr` or `ssim`.
  typealias Matter = String

  private let reasons: [String: [Matter: String]]

  /// Columns of exceptions.tsv: path, matter, reason.
  static func load() throws -> FidelityExceptions {
    let path = Project.path("Tests/EndToEnd/Fidelity/exceptions.tsv")
    let rows = String(decoding: try FileBytes.read(path), as: UTF8.self).split(separator: "\n")
    var reasons: [String: [Matter: String]] = [:]
    for row in rows.dropFirst() {
      let fields = row.split(separator: "\t", maxSplits: 2).map { String($0) }
      guard fields.count == 3 else { throw MalformedException(row: String(row)) }
      reasons[fields[0], default: [:]][fields[1]] = fields[2]
    }
    return FidelityExceptions(reasons: reasons)
  }

  func covers(_ name: String, _ matter: Matter) -> Bool { reasons[name]?[matter] != nil }

  struct MalformedException: Error {
    let row: String
  }
}

/// Collects what is wrong with a batch of pictures.
struct FidelityVerdicts {
  static let leastDecibels = 40.0
  static let leastSimilarity = 0.985

  let exceptions: FidelityExceptions
  private(set) var failures: [String] = []
  /// What is excused, with its value.
  private(set) var excused: [String] = []
  private(set) var exactCount = 0
  private(set) var exactBelow = 0
  private(set) var scaledCount = 0
  private var decibels: [Double] = []
  private var similarities: [Double] = []

  init(exceptions: FidelityExceptions) {
    self.exceptions = exceptions
  }

  mutating func judge(_ name: String, _ rendition: Rendering, _ measure: ReferenceMeasure?) {
    guard rendition.file != nil else {
      return fail(name, "refused", rendition.problems.joined(separator: " "))
    }
    guard let measure else { return fail(name, "unreadable", "no reference decoder reads it") }
    guard measure.size == measure.expectedSize else {
      return fail(name, "size", "\(measure.size) is not \(measure.expectedSize)")
    }
    if measure.isScaled {
      scaledCount += 1
      similarities.append(measure.ssim)
      if measure.ssim < Self.leastSimilarity { fail(name, "ssim", "\(measure.ssim)") }
    } else {
      exactCount += 1
      decibels.append(measure.psnr)
      guard measure.psnr < Self.leastDecibels else { return }
      exactBelow += 1
      fail(name, "psnr", "\(measure.psnr) dB")
    }
  }

  private mutating func fail(_ name: String, _ matter: String, _ value: String) {
    let text = "\(name): \(matter): \(value)"
    if exceptions.covers(name, matter) { excused.append(text) } else { failures.append(text) }
  }

  /// Counts, and the least, the twentieth and the middle of each hundred.
  var summary: String {
    "\(exactCount) unscaled, \(exactBelow) below 40 dB, PSNR \(Self.quantiles(decibels)); "
      + "\(scaledCount) scaled, SSIM \(Self.quantiles(similarities)); \(excused.count) excused"
      + excused.map { "\n  \($0)" }.joined()
  }

  private static func quantiles(_ values: [Double]) -> [Double] {
    let sorted = values.sorted()
    guard let least = sorted.first else { return [] }
    return [least, sorted[sorted.count / 20], sorted[sorted.count / 2]]
  }
}
