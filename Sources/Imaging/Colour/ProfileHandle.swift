internal import CLCMS
internal import Media

/// An ICC profile that lcms2 holds open.
@safe struct ProfileHandle: ~Copyable {
  let handle: cmsHPROFILE

  /// Takes over a profile; nil where lcms2 gave none.
  private init?(adopting handle: cmsHPROFILE?) {
    guard let handle = unsafe handle else { return nil }
    unsafe self.handle = handle
  }

  deinit {
    _ = unsafe cmsCloseProfile(handle)
  }

  /// Makes lcms2 ask for the date, which each new profile bears: the C library reads the time zone's
  /// file once. The corresponding C function is `cmsCreateProfilePlaceholder`.
  static func readClock() {
    _ = unsafe ProfileHandle(adopting: cmsCreateProfilePlaceholder(nil))
  }

  /// Opens an embedded profile. The corresponding C function is `cmsOpenProfileFromMem`.
  static func open(_ bytes: [UInt8]) -> ProfileHandle? {
    let handle = unsafe bytes.withUnsafeBytes { buffer in
      unsafe cmsOpenProfileFromMem(buffer.baseAddress, UInt32(clamping: buffer.count))
    }
    return unsafe ProfileHandle(adopting: handle)
  }

  /// The corresponding C function is `cmsCreate_sRGBProfile`.
  static func sRGB() -> ProfileHandle? {
    unsafe ProfileHandle(adopting: cmsCreate_sRGBProfile())
  }

  /// The corresponding C function is `cmsCreateGrayProfile`.
  static func gray(_ curve: TransferCurve) -> ProfileHandle? {
    guard let table = unsafe curve.table else { return nil }
    defer { unsafe cmsFreeToneCurve(table) }
    return unsafe ProfileHandle(adopting: cmsCreateGrayProfile(cmsD50_xyY(), table))
  }

  /// The corresponding C function is `cmsCreateRGBProfile`; nil for impossible primaries.
  static func rgb(_ colours: Chromaticities, _ curve: TransferCurve) -> ProfileHandle? {
    guard colours.toXYZ?.inverse != nil, let table = unsafe curve.table else { return nil }
    defer { unsafe cmsFreeToneCurve(table) }
    func point(_ point: Chromaticities.Point) -> cmsCIExyY {
      cmsCIExyY(x: point.x, y: point.y, Y: 1)
    }
    var white = point(colours.white)
    var primaries = cmsCIExyYTRIPLE(
      Red: point(colours.red), Green: point(colours.green), Blue: point(colours.blue))
    var tables = unsafe [Optional(table), Optional(table), Optional(table)]
    return unsafe ProfileHandle(adopting: cmsCreateRGBProfile(&white, &primaries, &tables))
  }
}

extension TransferCurve {
  /// The curve as lcms2 has it, to be freed by the caller (`cmsBuildParametricToneCurve`).
  fileprivate var table: OpaquePointer? {
    switch self {
    case .sRGB:
      var parameters = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
      return unsafe cmsBuildParametricToneCurve(nil, 4, &parameters)
    case .power(let exponent):
      return unsafe cmsBuildGamma(nil, exponent)
    }
  }
}
