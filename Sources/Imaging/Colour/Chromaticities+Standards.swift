internal import Media

extension Chromaticities {
  /// ITU-R BT.709 and sRGB.
  static let bt709 = Chromaticities(red: (0.64, 0.33), green: (0.30, 0.60), blue: (0.15, 0.06))
  /// Display P3 (SMPTE EG 432-1).
  static let displayP3 = Chromaticities(
    red: (0.680, 0.320), green: (0.265, 0.690), blue: (0.150, 0.060))
  /// ITU-R BT.2020 and BT.2100.
  static let bt2020 = Chromaticities(
    red: (0.708, 0.292), green: (0.170, 0.797), blue: (0.131, 0.046))

  /// Three primaries on the white of daylight (D65).
  private init(red: (Double, Double), green: (Double, Double), blue: (Double, Double)) {
    self.init(
      white: Point(x: 0.3127, y: 0.3290), red: Point(x: red.0, y: red.1),
      green: Point(x: green.0, y: green.1), blue: Point(x: blue.0, y: blue.1))
  }

  /// The primaries of ITU-T H.273, table 2, that pictures are met with; nil for others.
  init?(codePoint: Int) {
    switch codePoint {
    case 1: self = .bt709
    case 5: self.init(red: (0.64, 0.33), green: (0.29, 0.60), blue: (0.15, 0.06))
    case 6, 7: self.init(red: (0.630, 0.340), green: (0.310, 0.595), blue: (0.155, 0.070))
    case 9: self = .bt2020
    case 11:
      self = .displayP3
      white = Point(x: 0.314, y: 0.351)
    case 12: self = .displayP3
    default: return nil
    }
  }

  /// Whether these are sRGB's, as exactly as files state them.
  var isStandard: Bool {
    let standard = Chromaticities.bt709
    return zip(
      [white, red, green, blue], [standard.white, standard.red, standard.green, standard.blue]
    )
    .allSatisfy { abs($0.x - $1.x) < 0.002 && abs($0.y - $1.y) < 0.002 }
  }
}
