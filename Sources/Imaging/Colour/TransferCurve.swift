internal import Glibc

/// How samples stand for light.
package enum TransferCurve: Sendable, Hashable {
  /// IEC 61966-2-1.
  case sRGB
  /// Light is the sample to this power.
  case power(Double)

  /// Light, 0…1, of a sample, 0…1.
  func light(_ sample: Double) -> Double {
    switch self {
    case .sRGB: sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
    case .power(let exponent): pow(sample, exponent)
    }
  }

  /// The sRGB sample, 0…1, of light; what lies outside is clipped.
  static func sRGBSample(_ light: Double) -> Double {
    let bounded = max(0, min(1, light))
    return bounded <= 0.003_130_8 ? bounded * 12.92 : 1.055 * pow(bounded, 1 / 2.4) - 0.055
  }
}
