package import Media

/// What the samples of a raster mean.
package enum ColourModel: Sendable, Hashable {
  case gray
  case rgb
  /// Full-range BT.601 (JFIF); three planes, chroma at its own geometry.
  case yCbCr
  /// 0 is no ink, whatever the file's convention was.
  case cmyk
}

/// The shape of the rows that a decoder delivers.
package struct RasterDescription: Sendable, Hashable {
  package enum Depth: Sendable, Hashable {
    case eight
    /// Native-endian UInt16, 0…65535.
    case sixteen
  }

  /// Rows of one size, their components interleaved.
  package struct Plane: Sendable, Hashable {
    package var size: PixelSize
    package var components: Int

    package init(size: PixelSize, components: Int) {
      self.size = size
      self.components = components
    }
  }

  package var model: ColourModel
  /// Whether the last component of plane 0 is straight (not premultiplied) alpha.
  package var hasAlpha: Bool
  package var depth: Depth
  /// One plane (gray, RGB, CMYK, each with or without alpha), or three (YCbCr). Plane 0 has the
  /// picture's delivered size.
  package var planes: [Plane]

  package init(model: ColourModel, hasAlpha: Bool, depth: Depth, planes: [Plane]) {
    self.model = model
    self.hasAlpha = hasAlpha
    self.depth = depth
    self.planes = planes
  }

  package var size: PixelSize { planes.first?.size ?? PixelSize(width: 0, height: 0) }
}

/// Where a decoder's rows go, top to bottom within a plane; planes may interleave in any order.
package protocol RowSink: ~Copyable {
  /// Called once, before the first row.
  mutating func begin(_ raster: RasterDescription) throws(DecodeFailure)
  /// One row: width × components samples.
  mutating func consume(_ row: Span<UInt8>, plane: Int) throws(DecodeFailure)
  /// One row of a 16-bit raster.
  mutating func consume(_ row: Span<UInt16>, plane: Int) throws(DecodeFailure)
}

/// What a decoder knows of a picture before its first row.
package struct PictureHeader: Sendable, Hashable {
  package var facts: PictureFacts
  /// The embedded ICC profile's bytes.
  package var iccProfile: [UInt8]?
  /// Why an embedded profile could not be read out of the file; nil where that was no trouble.
  package var brokenProfile: String?
  /// Code points of ITU-T H.273 (nclx, cICP): primaries and transfer; nil where the file has none.
  package var codePoints: ColourCodePoints?
  /// The declared encoding exponent (PNG gAMA, 1/2.2 for most); nil where the file has none or says
  /// sRGB. A profile or code points come first.
  package var gamma: Double?
  /// The declared primaries and white (PNG cHRM); nil where the file has none or says sRGB.
  package var chromaticities: Chromaticities?
  /// How often an animation plays, 0 for ever; nil for a still or where the file does not say.
  package var loopCount: Int?
  /// How the delivered rows are turned for display: the facts' orientation, unless the decoder leaves
  /// turns to the output that the facts count as carried out (HEIF's irot and imir).
  package var rasterOrientation: Orientation

  package init(
    facts: PictureFacts, iccProfile: [UInt8]? = nil, brokenProfile: String? = nil,
    codePoints: ColourCodePoints? = nil, gamma: Double? = nil,
    chromaticities: Chromaticities? = nil, loopCount: Int? = nil,
    rasterOrientation: Orientation? = nil
  ) {
    self.facts = facts
    self.iccProfile = iccProfile
    self.brokenProfile = brokenProfile
    self.codePoints = codePoints
    self.gamma = gamma
    self.chromaticities = chromaticities
    self.loopCount = loopCount
    self.rasterOrientation = rasterOrientation ?? facts.orientation
  }

  /// The whole size of the delivered rows, before `rasterOrientation`.
  package var rasterSize: PixelSize { rasterOrientation.displayed(facts.displayedSize) }
}

/// White point and primaries as CIE 1931 x and y.
package struct Chromaticities: Sendable, Hashable {
  package struct Point: Sendable, Hashable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  package var white: Point
  package var red: Point
  package var green: Point
  package var blue: Point

  package init(white: Point, red: Point, green: Point, blue: Point) {
    self.white = white
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// Colour primaries and transfer characteristics by their numbers in ITU-T H.273.
package struct ColourCodePoints: Sendable, Hashable {
  package var primaries: Int
  package var transfer: Int

  package init(primaries: Int, transfer: Int) {
    self.primaries = primaries
    self.transfer = transfer
  }
}

extension ColourCodePoints {
  /// The usual name of primaries and transfer (ITU-T H.273, tables 2 and 3); nil for sRGB's and for
  /// what has no name.
  package var colourSpaceName: String? {
    switch (primaries, transfer) {
    case (9, 16): "BT.2100 PQ"
    case (9, 18): "BT.2100 HLG"
    case (9, _): "BT.2020"
    case (12, 16): "Display P3 PQ"
    case (12, 18): "Display P3 HLG"
    case (12, _): "Display P3"
    case (_, 16): "PQ"
    case (_, 18): "HLG"
    default: nil
    }
  }
}

/// A still-picture decoder of one format: adopts its input, reads the header, streams rows.
package protocol PictureDecoder: ~Copyable {
  /// Reads up to the first row. Refuses what the limits forbid before anything of that size is
  /// allocated.
  mutating func readHeader(_ limits: DecodeLimits) throws(DecodeFailure) -> PictureHeader

  /// Delivers the picture as stored (not oriented). Where the format scales while it decodes (JPEG),
  /// the delivered size is the smallest cheap one that leaves at least 1.45 × `needed` on both axes;
  /// nil asks for every pixel. On `.truncated`, the rows delivered so far are good.
  mutating func decode<Sink: RowSink & ~Copyable>(
    needed: PixelSize?, into sink: inout Sink
  ) throws(DecodeFailure)

  /// Shows as much of the picture as a comparison has time for, in the order in which most of it is
  /// known soonest, and tells it whether that is enough. To be called once, after the header was read,
  /// in place of `decode`; what cannot be shown in part is not shown at all.
  mutating func show(to comparison: inout PictureComparison) throws(DecodeFailure)

  /// Whether detail was left out that a decode with more time would have had.
  var wasHurried: Bool { get }

  /// Looks at what `decode` does not need: an animation's later frames. Finds data that end early;
  /// with `isThorough` the frames are decoded too. To be called after the header was read.
  func checkLaterFrames(isThorough: Bool) throws(DecodeFailure)
}

extension PictureDecoder where Self: ~Copyable {
  package mutating func show(to comparison: inout PictureComparison) throws(DecodeFailure) {
    try showRows(to: &comparison)
  }

  /// Shows the rows from the top down, at the coarsest scale that the format has and parts bear.
  mutating func showRows(to comparison: inout PictureComparison) throws(DecodeFailure) {
    guard !comparison.isOver() else { return }
    var rows = ComparedRows(comparison)
    do throws(DecodeFailure) {
      try decode(needed: ComparedRows.needed, into: &rows)
    } catch {
      comparison = rows.comparison
      guard !rows.wasLeft else { return }
      comparison.hasSeenEnough = false
      throw error
    }
    comparison = rows.comparison
  }

  /// Most decoders know but one way.
  package var wasHurried: Bool { false }

  /// A format of one frame has none to look at.
  package func checkLaterFrames(isThorough: Bool) throws(DecodeFailure) {}
}
