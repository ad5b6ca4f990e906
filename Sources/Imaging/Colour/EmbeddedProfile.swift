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
    guard bytes.count <= largestProfile else { return .broken(tooLarge(bytes.count)) }
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
    if isStandard(profile, model) { return .standard }
    guard ColourTransform.isPossible(from: profile, model: model) else {
      return .broken("the profile's tables cannot be read")
    }
    return .converts
  }

  /// What is wrong with a profile of so many bytes.
  static func tooLarge(_ bytes: Int) -> String {
    "the profile has \(bytes) bytes, the limit is \(largestProfile)"
  }

  private static func isStandard(
    _ profile: borrowing ProfileHandle, _ model: ColourModel
  ) -> Bool {
    guard !profile.hasTable() else { return false }
    switch model {
    case .gray:
      return profile.lights(cmsSigGrayTRCTag, of: 256).map { isStandardGray($0) } ?? false
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
    guard let colorants = profile.colorants(),
      let redLights = profile.lights(cmsSigRedTRCTag, of: 256),
      let greenLights = profile.lights(cmsSigGreenTRCTag, of: 256),
      let blueLights = profile.lights(cmsSigBlueTRCTag, of: 256),
      let toStandard = standardColorants.inverse
    else { return false }
    let matrix = toStandard * colorants
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
