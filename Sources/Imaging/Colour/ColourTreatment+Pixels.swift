internal import Media

extension ColourTreatment {
  /// Makes sRGB of a picture: gray stays gray. YCbCr whose chroma is halved is left as it is.
  package func apply(_ picture: BoundedPicture<UInt8>) throws(DecodeFailure) -> BoundedPicture<
    UInt8
  > {
    let picture = YCbCrConversion.rgb(picture)
    switch self {
    case .none: return picture
    case .deviceCMYK: return DeviceCMYK.rgb(picture)
    case .profile, .described: return try converted(picture) ?? DeviceCMYK.rgb(picture)
    case .toneMapping: throw .unsupported("tone mapping of 8-bit samples")
    }
  }

  /// The same for 16 bits.
  package func apply(_ picture: BoundedPicture<UInt16>) throws(DecodeFailure) -> BoundedPicture<
    UInt8
  > {
    let picture = YCbCrConversion.rgb(picture)
    if case .toneMapping(let mapping) = self { return mapped(picture, mapping) }
    guard let converted = try converted(picture) else {
      return DeviceCMYK.rgb(picture.eightBits)
    }
    return converted
  }

  /// By curves or by lcms2; nil where that finds no way from this profile.
  private func converted<Sample: PixelSample>(
    _ picture: BoundedPicture<Sample>
  ) throws(DecodeFailure) -> BoundedPicture<UInt8>? {
    guard let plane = picture.planes.first, let profile = source(picture.model) else { return nil }
    let isDeep = Sample.bitWidth == 16
    if isDeep || picture.model == .gray,
      let curves = CurveTransform(
        profile, model: picture.model, sampleCount: isDeep ? 65_536 : 256)
    {
      return BoundedPicture(
        model: picture.model, hasAlpha: picture.hasAlpha,
        planes: [curves.apply(plane, hasAlpha: picture.hasAlpha)])
    }
    return ColourTransform.make(
      from: profile, model: picture.model, hasAlpha: picture.hasAlpha, sixteenBits: isDeep
    )?.apply(plane)
  }

  private func source(_ model: ColourModel) -> ProfileHandle? {
    switch self {
    case .profile(let bytes): .open(bytes)
    case .described(let primaries, let curve):
      model == .gray ? .gray(curve) : .rgb(primaries, curve)
    case .none, .deviceCMYK, .toneMapping: nil
    }
  }

  private func mapped(
    _ picture: BoundedPicture<UInt16>, _ mapping: ToneMapping
  ) -> BoundedPicture<UInt8> {
    let colour = picture.asRGB
    return BoundedPicture(
      model: .rgb, hasAlpha: colour.hasAlpha, planes: colour.planes.map { mapping.apply($0) })
  }
}

extension BoundedPicture<UInt16> {
  /// The nearest 8-bit samples.
  fileprivate var eightBits: BoundedPicture<UInt8> {
    BoundedPicture<UInt8>(
      model: model, hasAlpha: hasAlpha,
      planes: planes.map { plane in
        PixelPlane<UInt8>(
          size: plane.size, components: plane.components,
          samples: plane.samples.map { UInt8((UInt32($0) + 128) / 257) })
      })
  }

  /// Gray as RGB, others as they are.
  fileprivate var asRGB: BoundedPicture<UInt16> {
    guard model == .gray, let plane = planes.first else { return self }
    let components = hasAlpha ? 4 : 3
    var samples: [UInt16] = []
    samples.reserveCapacity(plane.samples.count / plane.components * components)
    for pixel in stride(from: 0, to: plane.samples.count, by: plane.components) {
      samples.append(contentsOf: repeatElement(plane.samples[pixel], count: 3))
      if hasAlpha { samples.append(plane.samples[pixel + 1]) }
    }
    return BoundedPicture(
      model: .rgb, hasAlpha: hasAlpha,
      planes: [PixelPlane(size: plane.size, components: components, samples: samples)])
  }
}
