internal import Glibc
internal import Media

/// High dynamic range to sRGB.
///
/// Light is taken as nits on a 1000-nit display (PQ is absolute; HLG gets its system gamma of 1.2, ITU-R
/// BT.2100). The EETF of BT.2390, §5.4.1, brings 1000 nits down to 203, the reference white of
/// BT.2408, which becomes sRGB white: what lies under a tenth of the peak is kept, highlights are
/// rolled off. The curve is applied to each pixel's largest component and scales all three, so that
/// hues stay; what falls outside of BT.709 is clipped.
package struct ToneMapping: Sendable, Hashable {
  enum Transfer: Sendable, Hashable {
    /// SMPTE ST 2084, code point 16.
    case perceptualQuantizer
    /// ARIB STD-B67, code point 18.
    case hybridLogGamma

    init?(codePoint: Int) {
      switch codePoint {
      case 16: self = .perceptualQuantizer
      case 18: self = .hybridLogGamma
      default: return nil
      }
    }
  }

  private static let peak = 1000.0
  private static let white = 203.0

  let transfer: Transfer
  let primaries: Chromaticities

  /// Tone-maps interleaved RGB, alpha kept.
  func apply(_ plane: PixelPlane<UInt16>) -> PixelPlane<UInt8> {
    let lights = (0...65_535).map { Float(light(Double($0) / 65_535)) }
    let gains = Self.gains
    let samples = Self.sRGBSamples
    let matrix = toStandard
    let components = plane.components
    var output = [UInt8](repeating: 0, count: plane.samples.count)
    for pixel in stride(from: 0, to: plane.samples.count, by: components) {
      var colour = SIMD3<Float>(
        lights[Int(plane.samples[pixel])], lights[Int(plane.samples[pixel + 1])],
        lights[Int(plane.samples[pixel + 2])])
      colour *= displayGain(colour)
      let brightest = min(1, max(0, colour.max()))
      colour *= gains[Int((brightest.squareRoot() * Float(gains.count - 1)).rounded())]
      for component in 0..<3 {
        let row = matrix[component]
        let value = min(1, max(0, (row * colour).sum()))
        output[pixel + component] = samples[Int((value * 65_535).rounded())]
      }
      if components == 4 { output[pixel + 3] = UInt8(plane.samples[pixel + 3] / 257) }
    }
    return PixelPlane(size: plane.size, components: components, samples: output)
  }

  /// Light of a sample as a share of the peak: on the display (PQ), or in the scene (HLG).
  private func light(_ sample: Double) -> Double {
    switch transfer {
    case .perceptualQuantizer:
      min(1, PerceptualQuantizer.nits(sample) / Self.peak)
    case .hybridLogGamma:
      sample <= 0.5
        ? sample * sample / 3 : (exp((sample - 0.559_910_73) / 0.178_832_77) + 0.284_668_92) / 12
    }
  }

  /// The system gamma that turns scene light into display light (BT.2100, table 5).
  private func displayGain(_ colour: SIMD3<Float>) -> Float {
    guard transfer == .hybridLogGamma else { return 1 }
    let luminance = (colour * SIMD3(0.2627, 0.6780, 0.0593)).sum()
    return luminance > 0 ? pow(luminance, 0.2) : 0
  }

  /// Linear light to BT.709 primaries.
  private var toStandard: [SIMD3<Float>] {
    let identity = [SIMD3<Float>(1, 0, 0), SIMD3<Float>(0, 1, 0), SIMD3<Float>(0, 0, 1)]
    guard let source = primaries.toXYZ, let target = Chromaticities.bt709.toXYZ?.inverse else {
      return identity
    }
    return (target * source).rows.map { SIMD3<Float>($0) }
  }

  /// What light of a share x² of the peak is multiplied by, white then being 1.
  private static var gains: [Float] {
    let count = 4096
    return (0..<count).map { index in
      let root = Double(max(index, 1)) / Double(count - 1)
      let nits = root * root * peak
      return Float(rolledOff(nits) / white / (nits / peak))
    }
  }

  /// The EETF of BT.2390, its black level zero.
  private static func rolledOff(_ nits: Double) -> Double {
    let source = PerceptualQuantizer.sample(peak)
    let limit = PerceptualQuantizer.sample(white) / source
    let knee = 1.5 * limit - 0.5
    let sample = PerceptualQuantizer.sample(nits) / source
    guard sample > knee else { return nits }
    let t = (sample - knee) / (1 - knee)
    let (t2, t3) = (t * t, t * t * t)
    let mapped =
      (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * limit
    return PerceptualQuantizer.nits(mapped * source)
  }

  private static var sRGBSamples: [UInt8] {
    (0...65_535).map {
      UInt8((TransferCurve.sRGBSample(Double($0) / 65_535) * 255).rounded())
    }
  }
}

/// SMPTE ST 2084, §5.
enum PerceptualQuantizer {
  private static let m1 = 2610.0 / 16_384
  private static let m2 = 2523.0 / 4096 * 128
  private static let c1 = 3424.0 / 4096
  private static let c2 = 2413.0 / 4096 * 32
  private static let c3 = 2392.0 / 4096 * 32

  /// Display light of a sample, 0…1.
  static func nits(_ sample: Double) -> Double {
    let root = pow(max(0, sample), 1 / m2)
    return 10_000 * pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
  }

  /// The sample, 0…1, of display light.
  static func sample(_ nits: Double) -> Double {
    let power = pow(max(0, nits) / 10_000, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }
}
