internal import Imaging
internal import Media

/// The part of a picture that is to be shown (ISO/IEC 14496-12, 12.1.4), in fractions of a pixel.
struct CleanAperture: Hashable {
  struct Fraction: Hashable {
    var numerator: Int
    var denominator: Int
  }

  var width: Fraction
  var height: Fraction
  /// From the picture's centre to the aperture's.
  var horizontalOffset: Fraction
  var verticalOffset: Fraction

  init(_ box: inout BoxContent) throws(DecodeFailure) {
    width = try Fraction(&box, isSigned: false)
    height = try Fraction(&box, isSigned: false)
    horizontalOffset = try Fraction(&box, isSigned: true)
    verticalOffset = try Fraction(&box, isSigned: true)
  }

  /// The shown size of a picture of `size`, whole pixels.
  func size(in size: PixelSize) throws(DecodeFailure) -> PixelSize {
    let cut = PixelSize(
      width: width.numerator / width.denominator, height: height.numerator / height.denominator)
    guard cut.width > 0, cut.height > 0, cut.width <= size.width, cut.height <= size.height else {
      throw .corrupt("a clean aperture of \(cut) in a picture of \(size)")
    }
    return cut
  }
}

extension CleanAperture.Fraction {
  init(_ box: inout BoxContent, isSigned: Bool) throws(DecodeFailure) {
    numerator = isSigned ? try box.signedNumber() : try box.number(bytes: 4)
    denominator = try box.number(bytes: 4)
    guard denominator > 0 else { throw .corrupt("a clean aperture with a denominator of 0") }
  }
}
