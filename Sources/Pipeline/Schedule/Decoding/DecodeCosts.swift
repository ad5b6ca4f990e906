/// What decoding costs on this machine: for each coding, each size of picture and each size of
/// result, how many times as long as was supposed before anything was measured.
///
/// A single sample moves an estimate by a sixteenth at most, and no estimate leaves the range between a
/// sixteenth and sixteen times what was supposed: pictures made to be slow spoil nothing for long.
package struct DecodeCosts: Sendable, Hashable {
  /// Decodes that have an estimate together.
  package struct Class: Sendable, Hashable {
    package var coding: DecodeSubject.Coding
    /// The power of two of its megapixels, −2…7.
    package var magnitude: Int
    package var isForSmall: Bool

    package static let magnitudes = -2...7
  }

  /// How many times as long as supposed.
  package struct Ratio: Sendable, Hashable {
    package static let range = 1.0 / 16...16
    private static let step = 0.06

    package private(set) var usual: MovingQuantile
    package private(set) var cautious: MovingQuantile

    package init(usual: Double, cautious: Double) {
      self.usual = MovingQuantile(usual.clamped, share: 0.5, step: Self.step)
      self.cautious = MovingQuantile(cautious.clamped, share: 0.9, step: Self.step)
    }

    fileprivate mutating func note(_ sample: Double) {
      usual.note(sample.clamped)
      cautious.note(sample.clamped)
    }
  }

  /// Of the machine as a whole: for what was never measured.
  package private(set) var machine: Ratio
  package private(set) var classes: [Class: Ratio]

  /// How much longer than usual the slowest tenth takes, where nothing was measured.
  private static let spread = 1.6

  package init(
    machine: Ratio = Ratio(usual: 1, cautious: spread), classes: [Class: Ratio] = [:]
  ) {
    self.machine = machine
    self.classes = classes
  }

  package func estimate(of subject: DecodeSubject) -> DecodeEstimate {
    let ratio = classes[Class(subject)] ?? machine
    let prior = subject.priorMilliseconds
    return DecodeEstimate(
      usual: .init(inMilliseconds: prior * ratio.usual.value),
      cautious: .init(inMilliseconds: prior * ratio.cautious.value))
  }

  /// Takes in what a decode took that came to its end, or at least took before it was ended.
  package mutating func note(_ time: Duration, for subject: DecodeSubject, isAtLeast: Bool = false)
  {
    let estimate = estimate(of: subject)
    if isAtLeast, time < estimate.cautious { return }
    let sample = time.inMilliseconds / subject.priorMilliseconds
    machine.note(sample)
    let key = Class(subject)
    if classes[key] != nil {
      classes[key]?.note(sample)
    } else {
      classes[key] = Ratio(first: sample, machine: machine)
    }
  }

  /// A decode was not started because of its estimate: it comes a little nearer to the machine's,
  /// and a machine's that is high to what was supposed, so that what was slow once is tried again
  /// some time.
  package mutating func noteRefusal(of subject: DecodeSubject) {
    let supposed = Ratio(usual: 1, cautious: Self.spread)
    if machine.usual.value > supposed.usual.value { machine = machine.nearer(to: supposed) }
    let key = Class(subject)
    classes[key] = classes[key]?.nearer(to: machine)
  }
}

extension DecodeCosts.Ratio {
  /// By a hundredth.
  fileprivate func nearer(to other: DecodeCosts.Ratio) -> DecodeCosts.Ratio {
    let weight = 0.01
    return DecodeCosts.Ratio(
      usual: usual.value * (1 - weight) + other.usual.value * weight,
      cautious: cautious.value * (1 - weight) + other.cautious.value * weight)
  }
}

extension DecodeCosts.Class {
  /// The least power of two of megapixels that is told apart is a quarter.
  package init(_ subject: DecodeSubject) {
    let quarters = max(1, subject.pixels / 250_000)
    let power = Int.bitWidth - 1 - quarters.leadingZeroBitCount
    coding = subject.coding
    magnitude = min(power + Self.magnitudes.lowerBound, Self.magnitudes.upperBound)
    isForSmall = subject.isForSmall
  }
}

extension DecodeCosts.Ratio {
  /// Of the first sample, which alone is not trusted further than four times from the machine's.
  fileprivate init(first sample: Double, machine: DecodeCosts.Ratio) {
    let usual = min(max(sample, machine.usual.value / 4), machine.usual.value * 4)
    self.init(usual: usual, cautious: usual * machine.cautious.value / machine.usual.value)
  }
}

extension Double {
  fileprivate var clamped: Double {
    min(max(self, DecodeCosts.Ratio.range.lowerBound), DecodeCosts.Ratio.range.upperBound)
  }
}
