internal import CLCMS
internal import Media

/// What is to be made of an embedded ICC profile.
enum EmbeddedProfile {
  /// Larger profiles are ignored: press profiles with the finest tables have 3 MB.
  static let largestProfile = 8_000_000

  enum Verdict: Sendable, Hashable {
    /// It maps samples to sRGB within one step of 255.
    case standard
    case converts
    /// It cannot be used; says why.
    case broken(String)
  }

  static func judge(_ bytes: [UInt8], for model: ColourModel) -> Verdict {
    guard bytes.count <= largestProfile else {
      return .broken("the profile has \(bytes.count) bytes, the limit is \(largestProfile)")
    }
    guard let profile = ProfileHandle.open(bytes) else {
      return .broken("the profile cannot be read")
    }
    guard
      unsafe [
        cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass,
      ].contains(cmsGetDeviceClass(profile.handle))
    else {
      return .broken("the profile is not one of a device")
    }
    guard unsafe cmsGetColorSpace(profile.handle) == model.profileSpace else {
      return .broken("the profile is for other colours than the picture's")
    }
    return isStandard(profile, model) ? .standard : .converts
  }

  private static func isStandard(
    _ profile: borrowing ProfileHandle, _ model: ColourModel
  ) -> Bool {
    // A table says more than the matrix beside it.
    guard unsafe cmsIsTag(profile.handle, cmsSigAToB0Tag) == 0,
      unsafe cmsIsTag(profile.handle, cmsSigAToB1Tag) == 0
    else { return false }
    switch model {
    case .gray:
      return profile.lights(cmsSigGrayTRCTag).map { isStandardGray($0) } ?? false
    case .rgb, .yCbCr:
      return isStandardRGB(profile)
    case .cmyk:
      return false
    }
  }

  private static func isStandardGray(_ lights: [Double]) -> Bool {
    lights.enumerated().allSatisfy {
      abs(TransferCurve.sRGBSample($0.element) - Double($0.offset) / 255) <= 1.0 / 255
    }
  }

  private static func isStandardRGB(_ profile: borrowing ProfileHandle) -> Bool {
    guard let red = profile.colorant(cmsSigRedColorantTag),
      let green = profile.colorant(cmsSigGreenColorantTag),
      let blue = profile.colorant(cmsSigBlueColorantTag),
      let redLights = profile.lights(cmsSigRedTRCTag),
      let greenLights = profile.lights(cmsSigGreenTRCTag),
      let blueLights = profile.lights(cmsSigBlueTRCTag),
      let toStandard = standardColorants.inverse
    else { return false }
    let matrix = toStandard * Matrix3(columns: [red, green, blue])
    let maps = { (samples: SIMD3<Int>) -> Bool in
      let light =
        matrix
        * SIMD3(
          redLights[samples.x], greenLights[samples.y], blueLights[samples.z])
      return (0..<3).allSatisfy {
        abs(TransferCurve.sRGBSample(light[$0]) - Double(samples[$0]) / 255) <= 1.0 / 255
      }
    }
    let lattice = stride(from: 0, through: 255, by: 51)
    return (0...255).allSatisfy { maps(SIMD3(repeating: $0)) }
      && lattice.allSatisfy { red in
        lattice.allSatisfy { green in lattice.allSatisfy { maps(SIMD3(red, green, $0)) } }
      }
  }

  /// sRGB's primaries adapted to D50, as its ICC profile has them.
  private static let standardColorants = Matrix3(
    columns: [
      SIMD3(0.43607, 0.22249, 0.01392), SIMD3(0.38515, 0.71687, 0.09708),
      SIMD3(0.14307, 0.06061, 0.71410),
    ])
}

extension ColourModel {
  /// The colour space that a profile for such pictures has.
  fileprivate var profileSpace: cmsColorSpaceSignature {
    switch self {
    case .gray: cmsSigGrayData
    case .rgb, .yCbCr: cmsSigRgbData
    case .cmyk: cmsSigCmykData
    }
  }
}

extension ProfileHandle {
  /// A primary's XYZ. The corresponding C function is `cmsReadTag`.
  fileprivate borrowing func colorant(_ tag: cmsTagSignature) -> SIMD3<Double>? {
    guard let value = unsafe cmsReadTag(handle, tag) else { return nil }
    let colour = unsafe value.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
    return SIMD3(colour.X, colour.Y, colour.Z)
  }

  /// The light of each 8-bit sample. The corresponding C function is `cmsEvalToneCurveFloat`.
  fileprivate borrowing func lights(_ tag: cmsTagSignature) -> [Double]? {
    guard let value = unsafe cmsReadTag(handle, tag) else { return nil }
    let curve = OpaquePointer(value)
    return (0...255).map { unsafe Double(cmsEvalToneCurveFloat(curve, Float($0) / 255)) }
  }
}
