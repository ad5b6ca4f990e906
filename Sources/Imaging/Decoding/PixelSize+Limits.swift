internal import Media

extension PixelSize {
  /// Refuses a declared size that is empty or beyond the limits.
  func check(against limits: DecodeLimits) throws(DecodeFailure) {
    guard width > 0, height > 0 else { throw .corrupt("the picture is \(self)") }
    let declared = area ?? .max
    guard declared <= limits.maxPixels else {
      throw .tooManyPixels(declared: declared, limit: limits.maxPixels)
    }
  }
}
