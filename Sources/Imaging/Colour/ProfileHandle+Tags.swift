internal import CLCMS

/// What a profile of curves and a matrix says.
extension ProfileHandle {
  /// Whether it has a table, which says more than the matrix beside it. The corresponding C function
  /// is `cmsIsTag`.
  borrowing func hasTable() -> Bool {
    unsafe cmsIsTag(handle, cmsSigAToB0Tag) != 0 || cmsIsTag(handle, cmsSigAToB1Tag) != 0
  }

  /// A primary's XYZ. The corresponding C function is `cmsReadTag`.
  borrowing func colorant(_ tag: cmsTagSignature) -> SIMD3<Double>? {
    guard let value = unsafe cmsReadTag(handle, tag) else { return nil }
    let colour = unsafe value.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
    return SIMD3(colour.X, colour.Y, colour.Z)
  }

  /// The primaries as the columns of a matrix to the XYZ of D50; nil where one is missing.
  borrowing func colorants() -> Matrix3? {
    guard let red = colorant(cmsSigRedColorantTag), let green = colorant(cmsSigGreenColorantTag),
      let blue = colorant(cmsSigBlueColorantTag)
    else { return nil }
    return Matrix3(columns: [red, green, blue])
  }

  /// The light of each of `count` evenly spaced samples. The corresponding C function is
  /// `cmsEvalToneCurveFloat`.
  borrowing func lights(_ tag: cmsTagSignature, of count: Int) -> [Double]? {
    guard let value = unsafe cmsReadTag(handle, tag) else { return nil }
    let curve = OpaquePointer(value)
    return (0..<count).map {
      unsafe Double(cmsEvalToneCurveFloat(curve, Float($0) / Float(count - 1)))
    }
  }
}
