internal import Media

/// What must happen to a picture's colours so that they are sRGB.
enum ColourTreatment: Sendable, Hashable {
  /// They are sRGB already, or nothing says otherwise.
  case none
}

extension ColourTreatment {
  /// Whether colours are converted, for which the picture must be RGB (or gray, or CMYK).
  var converts: Bool { self != .none }
  /// Whether the conversion wants 16-bit samples.
  var wantsSixteenBits: Bool { false }

  /// sRGB with 8 bits.
  func apply(_ picture: BoundedPicture<UInt8>) throws(DecodeFailure) -> BoundedPicture<UInt8> {
    YCbCrConversion.rgb(picture)
  }

  /// sRGB with 8 bits.
  func apply(_ picture: BoundedPicture<UInt16>) throws(DecodeFailure) -> BoundedPicture<UInt8> {
    throw .unsupported("16 bits")
  }
}
