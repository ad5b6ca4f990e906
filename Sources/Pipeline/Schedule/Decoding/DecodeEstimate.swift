/// What a decode will probably take, from the start of its child to its answer.
package struct DecodeEstimate: Sendable, Hashable {
  /// Half of all take less: what plans for many go by.
  package var usual: Duration
  /// Nine of ten take less: what a start goes by that must end in time.
  package var cautious: Duration

  package init(usual: Duration, cautious: Duration) {
    self.usual = usual
    self.cautious = max(usual, cautious)
  }

  /// With work on top that takes so long and no longer.
  func lengthened(by time: Duration) -> DecodeEstimate {
    DecodeEstimate(usual: usual + time, cautious: cautious + time)
  }

  /// Of what was never measured and is not planned for.
  package static let none = DecodeEstimate(usual: .zero, cautious: .zero)
}

extension DecodeSubject {
  /// Milliseconds before anything was measured: so much for a child and its output, for a megapixel,
  /// for a megabyte; found on a 2-core virtual machine of 2024.
  private var rates: (child: Double, megapixel: Double, megabyte: Double) {
    switch coding {
    case .jpeg: (12, 1.5, 2)
    case .progressiveJPEG: (12, 5, 18)
    case .png: (12, 5, 5)
    case .interlacedPNG: (12, 8, 8)
    case .gif: (12, 8, 30)
    case .webp: (12, 6, 8)
    case .losslessWebP: (12, 12, 8)
    case .heic: (18, 22, 20)
    case .avif: (18, 8, 20)
    case .sound: (40, 0, 1)
    case .film: (150, 0, 2)
    case .thumbnail: (8, 0, 0)
    case .page: (15, 0, 20)
    }
  }

  /// Milliseconds, before anything was measured.
  var priorMilliseconds: Double {
    let rates = rates
    return rates.child + rates.megapixel * megapixels + rates.megabyte * megabytes
  }
}
