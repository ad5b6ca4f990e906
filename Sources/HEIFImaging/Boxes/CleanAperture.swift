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

  /// The shown part of a picture of `size`, in whole pixels.
  func area(in size: PixelSize) throws(DecodeFailure) -> PixelArea {
    let cut = PixelSize(
      width: width.numerator / width.denominator, height: height.numerator / height.denominator)
    guard cut.width > 0, cut.height > 0, cut.width <= size.width, cut.height <= size.height else {
      throw .corrupt("a clean aperture of \(cut) in a picture of \(size)")
    }
    return PixelArea(
      x: try Self.start(cut.width, in: size.width, horizontalOffset),
      y: try Self.start(cut.height, in: size.height, verticalOffset), size: cut)
  }

  private static func start(
    _ length: Int, in whole: Int, _ offset: Fraction
  ) throws(DecodeFailure) -> Int {
    let shift = Double(offset.numerator) / Double(offset.denominator)
    let start = (Double(whole - length) / 2 + shift).rounded()
    guard 0...Double(whole - length) ~= start else {
      throw .corrupt("a clean aperture that begins at \(start) of \(whole)")
    }
    return Int(start)
  }
}

extension CleanAperture.Fraction {
  init(_ box: inout BoxContent, isSigned: Bool) throws(DecodeFailure) {
    numerator = isSigned ? try box.signedNumber() : try box.number(bytes: 4)
    denominator = try box.number(bytes: 4)
    guard denominator > 0 else { throw .corrupt("a clean aperture with a denominator of 0") }
  }
}
