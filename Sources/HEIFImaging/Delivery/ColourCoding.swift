internal import Imaging

/// How a bitstream's components stand for colours (ITU-T H.273).
struct ColourCoding: Hashable {
  var primaries: Int
  var transfer: Int
  var matrix: Int
  var isFullRange: Bool

  /// Whether the components are JFIF's, their range apart.
  var isBT601: Bool { [2, 5, 6].contains(matrix) }

  /// How RGB is had from luma and colour differences.
  enum Conversion: Hashable {
    /// Shares of red and blue in luma.
    case luma(red: Float, blue: Float)
    /// The components are green, blue, red.
    case identity
    /// Green and orange differences (YCgCo).
    case greenOrange
  }

  /// The conversion for the matrix coefficients (ITU-T H.273, table 4).
  func conversion() throws(DecodeFailure) -> Conversion {
    switch matrix {
    case 0: .identity
    case 1: .luma(red: 0.2126, blue: 0.0722)
    case 2, 5, 6: .luma(red: 0.299, blue: 0.114)
    case 4: .luma(red: 0.30, blue: 0.11)
    case 7: .luma(red: 0.212, blue: 0.087)
    case 8: .greenOrange
    case 9: .luma(red: 0.2627, blue: 0.0593)
    case 12: chromaticityDerived
    default: throw .unsupported("matrix coefficients \(matrix)")
    }
  }

  /// The luminance of the primaries at their white point.
  private var chromaticityDerived: Conversion {
    switch primaries {
    case 9: .luma(red: 0.2627, blue: 0.0593)
    case 11, 12: .luma(red: 0.2290, blue: 0.0793)
    case 5, 6, 7: .luma(red: 0.299, blue: 0.114)
    default: .luma(red: 0.2126, blue: 0.0722)
    }
  }
}
