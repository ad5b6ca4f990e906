package import Media

/// What must happen to a picture's colours so that they are sRGB.
package enum ColourTreatment: Sendable, Hashable {
  /// They are sRGB already, or nothing says otherwise.
  case none
  /// An embedded ICC profile.
  case profile([UInt8])
  /// Primaries and a curve that the file states.
  case described(Chromaticities, TransferCurve)
  case toneMapping(ToneMapping)
  /// Inks without a profile.
  case deviceCMYK

  /// Chooses by what the file says; a profile that cannot be used gives a warning.
  ///
  /// Code points of high dynamic range come first, and any in a PNG (PNG 3, §11.3.2); then the ICC
  /// profile, then other code points, then gamma and primaries.
  package static func choose(
    _ header: PictureHeader, model: ColourModel, warnings: inout [Problem]
  ) -> ColourTreatment {
    let coded = header.codePoints.flatMap { Self.coded($0) }
    if let coded, header.facts.format == .png || coded.isToneMapping { return coded }
    if let message = header.brokenProfile {
      warnings.append(Problem(.decode, .brokenProfile, message, severity: .warning))
    } else if let profile = header.iccProfile {
      switch EmbeddedProfile.judge(profile, for: model) {
      case .standard: return .none
      case .converts: return .profile(profile)
      case .broken(let message):
        warnings.append(Problem(.decode, .brokenProfile, message, severity: .warning))
      }
    }
    if model == .cmyk { return .deviceCMYK }
    return coded ?? stated(header)
  }

  /// Nil where the code points say nothing.
  private static func coded(_ points: ColourCodePoints) -> ColourTreatment? {
    if let transfer = ToneMapping.Transfer(codePoint: points.transfer) {
      let primaries = Chromaticities(codePoint: points.primaries) ?? .bt2020
      return .toneMapping(ToneMapping(transfer: transfer, primaries: primaries))
    }
    guard points.primaries != 2 || points.transfer != 2 else { return nil }
    let primaries = Chromaticities(codePoint: points.primaries) ?? .bt709
    // The camera curves of video (1, 6, 14, 15) are shown on displays as sRGB is.
    let curve: TransferCurve =
      switch points.transfer {
      case 4: .power(2.2)
      case 5: .power(2.8)
      case 8: .power(1)
      default: .sRGB
      }
    return primaries == .bt709 && curve == .sRGB
      ? ColourTreatment.none : .described(primaries, curve)
  }

  /// Gamma and primaries of a PNG. A gamma near 1/2.2 means sRGB, as its writers do.
  private static func stated(_ header: PictureHeader) -> ColourTreatment {
    let primaries = header.chromaticities ?? .bt709
    let isUsual = header.gamma.map { abs($0 - 1 / 2.2) < 0.01 || $0 <= 0 } ?? true
    guard !isUsual || !primaries.isStandard else { return .none }
    guard primaries.toXYZ?.inverse != nil else { return .none }
    guard !isUsual, let gamma = header.gamma else { return .described(primaries, .sRGB) }
    return .described(primaries, .power(1 / max(0.05, min(20, gamma))))
  }
}

extension ColourTreatment {
  /// Whether colours are converted, for which a picture must be gray, RGB or CMYK.
  package var converts: Bool { self != .none }

  private var isToneMapping: Bool {
    if case .toneMapping = self { true } else { false }
  }

  /// Whether the conversion wants 16-bit samples of a picture of this depth.
  package func wantsSixteenBits(_ depth: RasterDescription.Depth) -> Bool {
    switch self {
    case .none, .deviceCMYK: false
    case .profile, .described: depth == .sixteen
    case .toneMapping: true
    }
  }
}
