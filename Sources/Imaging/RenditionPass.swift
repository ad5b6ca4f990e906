internal import CCodecShims
package import Media

/// Everything between a decoder's rows and encoded renditions: one decode feeds them all.
package struct RenditionPass: RowSink, Sendable {
  private let request: RenderRequest
  private let header: PictureHeader
  /// One for each rendition of the request; nil where it is not this pass's business.
  private let plans: [ScalingPlan?]
  private var raster: RasterDescription?
  private var treatment = ColourTreatment.none
  /// Whether the colour conversion takes 16-bit samples.
  private var sixteenBits = false
  private var scalers8: [PictureScaler<UInt8>?] = []
  private var scalers16: [PictureScaler<UInt16>?] = []
  private var rowsReceived = 0
  /// What was noticed on the way and did not stop the picture.
  package private(set) var warnings: [Problem] = []
  /// What the largest part seen tells; there once the renditions are.
  package private(set) var hints: PictureHints?

  /// `crop` is the part, as displayed, that `cover` renditions show; nil for the centre. `only` names
  /// the renditions that the pass makes; nil for all. `shown` is the part of the rows that is the
  /// picture.
  package init(
    _ request: RenderRequest, header: PictureHeader, crop: UnitRectangle? = nil,
    only: [Int]? = nil, shown: UnitRectangle = .whole
  ) {
    self.request = request
    self.header = header
    plans = request.renditions.enumerated().map { index, rendition in
      guard only?.contains(index) ?? true else { return nil }
      return ScalingPlan(
        rendition, storedSize: header.rasterSize.part(shown),
        orientation: header.rasterOrientation, crop: crop
      ).within(shown)
    }
  }

  /// The size at which the decoder must deliver the whole stored picture at least.
  package var needed: PixelSize? {
    let sizes = plans.compactMap { $0?.needed }
    guard let width = sizes.map(\.width).max(), let height = sizes.map(\.height).max()
    else { return nil }
    return PixelSize(width: width, height: height)
  }

  /// The share of the picture's rows that came.
  package var visibleFraction: Double {
    guard let height = raster?.size.height, height > 0 else { return 0 }
    return Double(min(rowsReceived, height)) / Double(height)
  }

  package mutating func begin(_ raster: RasterDescription) throws(DecodeFailure) {
    try check(raster)
    self.raster = raster
    treatment = ColourTreatment.choose(header, model: raster.model, warnings: &warnings)
    sixteenBits = treatment.wantsSixteenBits(raster.depth)
    let keepsPlanes =
      raster.model == .yCbCr && !treatment.converts
      && (request.outputFormat == .auto || request.outputFormat == .jpeg)
    let chroma = keepsPlanes ? PictureScaler<UInt8>.Chroma.halved : .full
    let storedSize = header.rasterSize
    for plan in distinctPlans {
      if sixteenBits {
        scalers16.append(
          PictureScaler(plan, raster: raster, storedSize: storedSize, chroma: .full))
      } else {
        scalers8.append(
          PictureScaler(plan, raster: raster, storedSize: storedSize, chroma: chroma))
      }
    }
  }

  private func check(_ raster: RasterDescription) throws(DecodeFailure) {
    let colours =
      switch raster.model {
      case .gray, .yCbCr: 1
      case .rgb: 3
      case .cmyk: 4
      }
    let components = colours + (raster.hasAlpha ? 1 : 0)
    guard raster.planes.count == (raster.model == .yCbCr ? 3 : 1),
      raster.planes.first?.components == components, components <= 4,
      raster.planes.dropFirst().allSatisfy({ $0.components == 1 }),
      raster.planes.allSatisfy({ $0.size.width > 0 && $0.size.height > 0 })
    else { throw .unsupported("a raster of \(raster.planes.count) planes") }
  }

  /// Renditions of one geometry are scaled once; those that show the whole picture come first.
  private var distinctPlans: [ScalingPlan] {
    let distinct = plans.enumerated().filter { plans.firstIndex(of: $0.element) == $0.offset }
      .compactMap(\.element)
    return distinct.filter { $0.cut == nil } + distinct.filter { $0.cut != nil }
  }

  package mutating func consume(_ row: Span<UInt8>, plane: Int) throws(DecodeFailure) {
    feed(row, plane: plane)
  }

  package mutating func consume(_ row: Span<UInt16>, plane: Int) throws(DecodeFailure) {
    feed(row, plane: plane)
  }

  private mutating func feed<Sample: PixelSample>(_ row: Span<Sample>, plane: Int) {
    if plane == 0 { rowsReceived += 1 }
    for index in scalers8.indices { scalers8[index]?.consume(row, plane: plane) }
    for index in scalers16.indices { scalers16[index]?.consume(row, plane: plane) }
  }
}

extension RenditionPass {
  /// A rendition's place in the request, and what became of it.
  package typealias Outcome = (requestIndex: Int, result: Result<EncodedPicture, DecodeFailure>)

  /// Encodes what the rows gave, each rendition as soon as it can be, and gives it to `deliver`.
  ///
  /// After a truncated decode the renditions show the part that came.
  package mutating func finish(_ deliver: (Outcome) -> Void) {
    let encoder = StillEncoder(request)
    for (index, plan) in distinctPlans.enumerated() {
      let picture = Result { () throws(DecodeFailure) in try takeShownPicture(index) }
      // What the decoder and the scaler freed lies scattered: encoders would come on top of it.
      ccodecs_trim_memory()
      for (requestIndex, rendition) in request.renditions.enumerated()
      where plans[requestIndex] == plan {
        let result = Result { () throws(DecodeFailure) in
          try encoder.encode(picture.get(), budget: rendition.stillBudget)
        }
        deliver((requestIndex, result))
      }
    }
  }

  /// What the rows tell, for a pass whose renditions are not wanted.
  mutating func takeHints() throws(DecodeFailure) -> PictureHints? {
    _ = try takeShownPicture(0)
    return hints
  }

  /// The picture of one distinct plan, cut to what is shown; what it tells is kept.
  private mutating func takeShownPicture(
    _ index: Int
  ) throws(DecodeFailure) -> BoundedPicture<UInt8> {
    let picture = try takePicture(index)
    let cut = distinctPlans[index].cut
    guard hints == nil || cut != nil else { return picture }
    let raster = PreviewRaster(picture)
    let saliency = Saliency(raster)
    if hints == nil {
      hints = PictureHints(raster, saliency: saliency, size: picture.size)
    }
    return cut.map { picture.cut(to: $0, saliency: saliency) } ?? picture
  }

  /// The sRGB picture of one distinct plan, as displayed. Its scaler ends: encoders need the memory.
  private mutating func takePicture(
    _ index: Int
  ) throws(DecodeFailure) -> BoundedPicture<UInt8> {
    let nothing = DecodeFailure.truncated("no row of the wanted part came")
    if sixteenBits {
      guard scalers16.indices.contains(index), let picture = scalers16[index]?.takePicture()
      else { throw nothing }
      scalers16[index] = nil
      return try treatment.apply(picture)
    }
    guard scalers8.indices.contains(index), let picture = scalers8[index]?.takePicture()
    else { throw nothing }
    scalers8[index] = nil
    return try treatment.apply(picture)
  }
}
