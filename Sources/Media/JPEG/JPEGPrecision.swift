/// How exact the samples are that the scans of a progressive JPEG give so far (ITU-T T.81 annex G):
/// the decoder stops by it, and so do downloads.
package struct JPEGPrecision: Sendable, Hashable {
  /// The coefficients of one component, in zigzag order.
  package struct Component: Sendable, Hashable {
    /// Quantization steps.
    package var steps: [Int]
    /// Bits that each coefficient lacks; -1 before its first scan.
    package var missingBits: [Int]
    /// Samples on a side that a block of 8 × 8 becomes: 1, 2, 4 or 8.
    package var side: Int
    /// Whether there are 1.45 samples or more for one that is shown, as `JPEGScale` has it for less
    /// than whole pictures: then the finest detail goes as they are scaled.
    package var isScaledDown: Bool

    package init(steps: [Int], missingBits: [Int], side: Int, isScaledDown: Bool = false) {
      self.isScaledDown = isScaledDown
      self.steps = steps
      self.missingBits = missingBits
      self.side = side
    }
  }

  package var components: [Component]

  package init(_ components: [Component]) {
    self.components = components
  }

  /// What the mean square error of red, green and blue may be for nobody to see it: 46 dB PSNR.
  /// Rounding adds to it, and 45 dB are promised.
  package static let invisibleError = 65_025 / 39_810.7

  /// What errors of Y, Cb and Cr make of red, green and blue (ITU-T T.871 §7).
  private static let conversion = [
    [1, 0, 1.402], [1, -0.344136, -0.714136], [1, 1.772, 0],
  ]

  /// Whether later scans change no sample, or not visibly. In a hurry one bit of each coefficient
  /// may lack.
  package func suffices(inHurry: Bool = false) -> Bool {
    if inHurry, components.allSatisfy(\.isWithinOneBit) { return true }
    return error.map { $0 <= Self.invisibleError } ?? false
  }

  /// The mean square error that the missing bits make in red, green and blue, of 255 squared, however
  /// the components' errors fall together: what lacks is of one sign in each colour that stands out.
  /// Nil while a coefficient that counts has not come, and for inks that are not exact.
  package var error: Double? {
    let errors = components.compactMap(\.error)
    guard errors.count == components.count else { return nil }
    if errors.allSatisfy({ $0 == 0 }) { return 0 }
    guard errors.count <= Self.conversion.count else { return nil }
    let roots = errors.map { $0.squareRoot() }
    var sum = 0.0
    for (first, one) in roots.enumerated() {
      for (second, other) in roots.enumerated() {
        // By Cauchy and Schwarz no covariance is larger.
        sum += one * other * Self.likeness(first, second)
      }
    }
    return sum
  }

  /// The mean over red, green and blue of what two components' errors of one make together.
  private static func likeness(_ first: Int, _ second: Int) -> Double {
    abs(conversion.map { $0[first] * $0[second] }.reduce(0, +)) / 3
  }
}

extension JPEGPrecision.Component {
  /// The share that one coefficient along an axis has in the mean square of the samples, by the
  /// samples on a side. A reduced transform gives the means of neighbouring samples (libjpeg-turbo,
  /// jidctred.c), to which some coefficients add nothing: it never reads them.
  private static let shares: [Int: [Double]] = [
    1: [0.125, 0, 0, 0, 0, 0, 0, 0],
    2: [0.125, 0.10263, 0, 0.01266, 0, 0.00565, 0, 0.00406],
    4: [0.125, 0.12024, 0.10669, 0.08642, 0, 0.03858, 0.01831, 0.00476],
    8: [Double](repeating: 0.125, count: 8),
  ]

  /// What is left of them once Lanczos-3 has made one sample of 1.45: the mean over all places of an
  /// output sample, each block's coefficient being independent of its neighbours'.
  private static let sharesScaledDown: [Int: [Double]] = [
    1: [0.07704, 0, 0, 0, 0, 0, 0, 0],
    2: [0.1125, 0.03414, 0, 0.00421, 0, 0.00188, 0, 0.00135],
    4: [0.11814, 0.10358, 0.0572, 0.0106, 0, 0.00473, 0.00981, 0.0041],
    8: [0.1216, 0.1183, 0.11763, 0.10978, 0.08482, 0.04655, 0.01537, 0.00228],
  ]

  /// Where the coefficients lie in their block, row by row (ITU-T T.81 figure A.6).
  private static let zigzag = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
    13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59,
    52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
  ]

  /// The share of one coefficient in the mean square of the samples. Scaling takes nothing from the
  /// blocks' means: what they lack is of one sign in all of them.
  private func share(of index: Int) -> Double {
    let isFiltered = isScaledDown && index > 0
    guard let shares = (isFiltered ? Self.sharesScaledDown : Self.shares)[side] else { return 1 }
    let place = Self.zigzag[index]
    return shares[place / 8] * shares[place % 8]
  }

  fileprivate var isWithinOneBit: Bool {
    (0..<64).allSatisfy { share(of: $0) == 0 || (0...1).contains(missingBits[$0]) }
  }

  /// The mean square error that the missing bits make; nil while a coefficient that counts has not
  /// come.
  fileprivate var error: Double? {
    var sum = 0.0
    for index in 0..<64 {
      let (share, missing) = (share(of: index), missingBits[index])
      if share == 0 || missing == 0 { continue }
      guard missing > 0, missing < 14 else { return nil }
      sum += share * Double(steps[index]) * Double(steps[index]) * Self.square(missing, of: index)
    }
    return sum
  }

  /// The square of what `missing` bits of a coefficient hold (ITU-T T.81 §G.1.2.1).
  ///
  /// Those of a block's mean are cut off below it, and a plain area has the same in all its blocks:
  /// the most counts. The others are cut off towards zero, and small ones are commoner than large ones;
  /// were all that begin alike equally common, the square were m (m + 1) / 3 in the mean, for
  /// m = 2ⁿ - 1.
  private static func square(_ missing: Int, of index: Int) -> Double {
    let most = Double(1 << missing - 1)
    return index == 0 ? most * most : most * (most + 1) / 3
  }
}
