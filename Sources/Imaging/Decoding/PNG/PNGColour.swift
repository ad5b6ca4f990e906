/// What the colour chunks of a PNG declare (PNG third edition, section 11.3.2).
struct PNGColour {
  private(set) var codePoints: ColourCodePoints?
  private var isSRGB = false
  private var declaredGamma: Double?
  private var declaredChromaticities: Chromaticities?

  /// Nil where the file means sRGB.
  var gamma: Double? { meansSRGB ? nil : declaredGamma }
  var chromaticities: Chromaticities? { meansSRGB ? nil : declaredChromaticities }

  /// What to call the colours of the code points, which go before a profile; nil where there are none,
  /// or none that say anything.
  func codedName(isGray: Bool) -> String? {
    guard let codePoints, (codePoints.primaries, codePoints.transfer) != (2, 2) else { return nil }
    if (codePoints.primaries, codePoints.transfer) == (1, 13) { return isGray ? "gray" : "sRGB" }
    return codePoints.colourSpaceName
      ?? "H.273 \(codePoints.primaries)/\(codePoints.transfer)"
  }

  /// What to call the colours of a file without code points and profile.
  func name(isGray: Bool) -> String {
    if meansSRGB { return isGray ? "gray" : "sRGB" }
    return isGray ? "calibrated gray" : "calibrated RGB"
  }

  mutating func take(_ type: String, _ payload: [UInt8]) {
    switch type {
    case "sRGB": isSRGB = true
    case "cICP" where payload.count == 4:
      codePoints = ColourCodePoints(primaries: Int(payload[0]), transfer: Int(payload[1]))
    case "gAMA":
      if let value = hundredThousandths(payload, 0), value > 0 { declaredGamma = value }
    case "cHRM": declaredChromaticities = chromaticities(payload)
    default: break
    }
  }

  private var meansSRGB: Bool {
    isSRGB || (gammaIsUsual && (declaredChromaticities.map(Self.areSRGB) ?? true))
  }

  /// Within the 5 % that no eye tells apart (libpng's PNG_GAMMA_THRESHOLD).
  private var gammaIsUsual: Bool {
    guard let declaredGamma else { return true }
    return abs(declaredGamma * 2.2 - 1) < 0.05
  }

  private static func areSRGB(_ values: Chromaticities) -> Bool {
    let isNear = { (point: Chromaticities.Point, x: Double, y: Double) in
      abs(point.x - x) <= 0.001 && abs(point.y - y) <= 0.001
    }
    return isNear(values.white, 0.3127, 0.329) && isNear(values.red, 0.64, 0.33)
      && isNear(values.green, 0.3, 0.6) && isNear(values.blue, 0.15, 0.06)
  }

  private func hundredThousandths(_ payload: [UInt8], _ index: Int) -> Double? {
    payload.unsigned(at: index * 4, bytes: 4, .big).map { Double($0) / 100_000 }
  }

  private func chromaticities(_ payload: [UInt8]) -> Chromaticities? {
    let values = (0..<8).compactMap { hundredThousandths(payload, $0) }
    guard values.count == 8, values.allSatisfy({ $0 <= 1 }) else { return nil }
    let point = { Chromaticities.Point(x: values[$0], y: values[$0 + 1]) }
    guard point(0).y > 0 else { return nil }
    return Chromaticities(white: point(0), red: point(2), green: point(4), blue: point(6))
  }
}
