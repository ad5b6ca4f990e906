internal import CLCMS
internal import Media

/// Colours of some profile to sRGB with 8 bits: relative colorimetric, black points matched.
@safe struct ColourTransform: ~Copyable {
  private let handle: cmsHTRANSFORM
  private let outputModel: ColourModel
  private let hasAlpha: Bool

  private init(
    adopting handle: cmsHTRANSFORM, outputModel: ColourModel, hasAlpha: Bool
  ) {
    unsafe self.handle = handle
    self.outputModel = outputModel
    self.hasAlpha = hasAlpha
  }

  deinit {
    unsafe cmsDeleteTransform(handle)
  }

  /// Whether lcms2 finds a way from the profile. Nothing is prepared for many pixels, which costs more
  /// than the answer.
  static func isPossible(from source: borrowing ProfileHandle, model: ColourModel) -> Bool {
    make(
      from: source, model: model, hasAlpha: false, sixteenBits: false,
      flags: UInt32(cmsFLAGS_NOOPTIMIZE)) != nil
  }

  /// From a gray profile to gray, from others to RGB; nil where lcms2 finds no way. The corresponding
  /// C function is `cmsCreateTransform`.
  static func make(
    from source: borrowing ProfileHandle, model: ColourModel, hasAlpha: Bool, sixteenBits: Bool,
    flags extraFlags: UInt32 = 0
  ) -> ColourTransform? {
    let outputModel: ColourModel = model == .gray ? .gray : .rgb
    guard let target = model == .gray ? ProfileHandle.gray(.sRGB) : ProfileHandle.sRGB() else {
      return nil
    }
    let flags = UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION) | UInt32(cmsFLAGS_COPY_ALPHA)
    let handle = unsafe cmsCreateTransform(
      source.handle, model.layout(hasAlpha: hasAlpha, sixteenBits: sixteenBits), target.handle,
      outputModel.layout(hasAlpha: hasAlpha, sixteenBits: false),
      UInt32(INTENT_RELATIVE_COLORIMETRIC), flags | extraFlags)
    guard let handle = unsafe handle else { return nil }
    return unsafe ColourTransform(
      adopting: handle, outputModel: outputModel, hasAlpha: hasAlpha)
  }

  /// Converts an interleaved picture of the model, alpha and depth that the transform was made for.
  /// The corresponding C function is `cmsDoTransform`.
  borrowing func apply<Sample: PixelSample>(
    _ plane: PixelPlane<Sample>
  ) -> BoundedPicture<UInt8> {
    let components = (outputModel == .gray ? 1 : 3) + (hasAlpha ? 1 : 0)
    let pixels = plane.size.width * plane.size.height
    let samples = unsafe [UInt8](unsafeUninitializedCapacity: pixels * components) {
      output, filled in
      unsafe plane.samples.withUnsafeBytes { input in
        unsafe cmsDoTransform(handle, input.baseAddress, output.baseAddress, UInt32(pixels))
      }
      filled = pixels * components
    }
    return BoundedPicture(
      model: outputModel, hasAlpha: hasAlpha,
      planes: [PixelPlane(size: plane.size, components: components, samples: samples)])
  }
}

extension ColourModel {
  /// lcms2's name for such pixels.
  fileprivate func layout(hasAlpha: Bool, sixteenBits: Bool) -> UInt32 {
    switch (self, hasAlpha) {
    case (.gray, false): sixteenBits ? clcms_gray_16 : clcms_gray_8
    case (.gray, true): sixteenBits ? clcms_gray_alpha_16 : clcms_gray_alpha_8
    case (.rgb, false), (.yCbCr, _): sixteenBits ? clcms_rgb_16 : clcms_rgb_8
    case (.rgb, true): sixteenBits ? clcms_rgb_alpha_16 : clcms_rgb_alpha_8
    case (.cmyk, _): sixteenBits ? clcms_cmyk_16 : clcms_cmyk_8
    }
  }
}
