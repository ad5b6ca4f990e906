internal import CWebP
package import Media

/// A WebP decoder. Opaque lossy pictures come as YCbCr planes; all others as pixels; of an animation
/// the first frame, on its canvas. The library wants the whole file, which is mapped.
package struct WebPDecoder: ~Copyable {
  private let input: Int32
  private var size = PixelSize(width: 0, height: 0)
  private var isAnimation = false
  private var kind = Kind.lossy
  /// Whether rows are delivered while the rest is still to be decoded.
  private var isStepwise = false

  /// How the picture, or an animation's first frame, is coded.
  private enum Kind {
    case lossy
    case lossless
    case withAlpha
    /// A frame that leaves parts of the canvas free.
    case placed
  }

  /// Adopts nothing but the number: `input` is mapped and stays its owner's.
  package init(input: Int32) {
    self.input = input
  }
}

extension WebPDecoder: PictureDecoder {
  package mutating func readHeader(
    _ limits: DecodeLimits
  ) throws(DecodeFailure) -> PictureHeader {
    let mapping = try InputMapping.map(input)
    let features = try unsafe Self.features(mapping.bytes, mapping.count)
    size = PixelSize(width: Int(features.width), height: Int(features.height))
    try size.check(against: limits)
    let container = WebPContainer(mapping)
    guard container.frames <= limits.maxFrames else {
      throw .tooManyFrames(declared: container.frames, limit: limits.maxFrames)
    }
    isAnimation = features.has_animation != 0
    kind = try kind(features, container)
    return try header(container)
  }

  package mutating func decode<Sink: RowSink & ~Copyable>(
    needed: PixelSize?, into sink: inout Sink
  ) throws(DecodeFailure) {
    let mapping = try InputMapping.map(input)
    if !isAnimation {
      return try unsafe decodeBitstream(mapping.bytes, mapping.count, into: &sink)
    }
    let container = WebPContainer(mapping)
    if kind == .placed { return try decodePlaced(container, into: &sink) }
    let (bytes, count) = unsafe try container.firstFragment()
    try unsafe decodeBitstream(bytes, count, into: &sink)
  }
}

extension WebPDecoder {
  /// A frame that is placed on a canvas comes whole.
  package mutating func show(to comparison: inout PictureComparison) throws(DecodeFailure) {
    guard kind != .placed else { return }
    isStepwise = true
    try showRows(to: &comparison)
  }

  package func checkLaterFrames(isThorough: Bool) throws(DecodeFailure) {
    guard isAnimation else { return }
    let mapping = try InputMapping.map(input)
    let container = WebPContainer(mapping)
    guard container.isWhole else {
      throw .truncated("the file ends after \(container.frames) frames of its animation")
    }
    if isThorough { try container.checkFrames() }
  }

  /// What a bitstream, or a container's header, declares. The corresponding C function is
  /// `WebPGetFeatures`.
  private static func features(
    _ bytes: UnsafePointer<UInt8>, _ count: Int
  ) throws(DecodeFailure) -> WebPBitstreamFeatures {
    var features = WebPBitstreamFeatures()
    let status = unsafe WebPGetFeatures(bytes, count, &features)
    guard status == VP8_STATUS_OK else { throw DecodeFailure(status) }
    return features
  }

  /// Whether there is alpha is asked of the bitstream: the container's flag may claim more.
  private func kind(
    _ features: WebPBitstreamFeatures, _ container: borrowing WebPContainer
  ) throws(DecodeFailure) -> Kind {
    let canvas = size
    let isAnimation = isAnimation
    let kind = unsafe try container.withFrame(1) { (frame) throws(DecodeFailure) -> Kind in
      guard unsafe Int(frame.width) == canvas.width, unsafe Int(frame.height) == canvas.height
      else { return .placed }
      if unsafe frame.has_alpha != 0 { return .withAlpha }
      let coded =
        isAnimation
        ? try unsafe Self.features(frame.fragment.bytes, frame.fragment.size) : features
      return coded.format == 2 ? .lossless : .lossy
    }
    if let kind { return kind }
    if isAnimation { throw .truncated("the animation ends before its first frame") }
    // Not even the container's header is whole or right; the bitstream may be.
    return features.has_alpha != 0 ? .withAlpha : features.format == 2 ? .lossless : .lossy
  }

  private var hasAlpha: Bool { kind == .withAlpha || kind == .placed }

  private func header(
    _ container: borrowing WebPContainer
  ) throws(DecodeFailure) -> PictureHeader {
    let profile = container.iccProfile
    let isAnimated = isAnimation && container.frames > 1
    let facts = PictureFacts(
      format: .webp, storedSize: size, orientation: container.orientation,
      frames: isAnimated ? container.frames : 1,
      durationSeconds: isAnimated ? try container.milliseconds() / 1000 : nil,
      hasAlpha: isAnimated ? try container.showsThrough(size) : hasAlpha,
      colorSpace: profile.flatMap(ProfileName.read) ?? "sRGB")
    return PictureHeader(
      facts: facts, iccProfile: profile, brokenProfile: container.brokenProfile,
      loopCount: isAnimated ? container.loopCount : nil)
  }

  /// Steps in which a file is decoded whose rows are wanted at once.
  private static let steps = 64
  private static let leastStep = 4096

  private func decodeBitstream<Sink: RowSink & ~Copyable>(
    _ bytes: UnsafePointer<UInt8>, _ count: Int, into sink: inout Sink
  ) throws(DecodeFailure) {
    let decoder = WebPFrameDecoder(
      kind == .lossy ? .planes : kind == .lossless ? .pixels : .pixelsWithAlpha)
    let step = isStepwise ? max(Self.leastStep, count / Self.steps) : count
    var (length, delivered, isWhole) = (0, 0, false)
    repeat {
      let isFirst = length == 0
      length = min(count, length + step)
      isWhole = try unsafe decoder.decode(bytes, count: length)
      if isFirst { try sink.begin(kind == .lossy ? planesDescription : pixelsDescription) }
      let rows = isWhole ? size.height : decoder.rows
      if kind == .lossy {
        try deliverPlanes(decoder, delivered..<max(delivered, rows), into: &sink)
      } else {
        try deliverPixels(decoder, delivered..<max(delivered, rows), into: &sink)
      }
      delivered = max(delivered, rows)
    } while !isWhole && length < count
    if !isWhole { throw truncation(delivered) }
  }

  private func truncation(_ rows: Int) -> DecodeFailure {
    .truncated("\(rows) of \(size.height) rows have come")
  }

  private var pixelsDescription: RasterDescription {
    RasterDescription(
      model: .rgb, hasAlpha: hasAlpha, depth: .eight,
      planes: [RasterDescription.Plane(size: size, components: hasAlpha ? 4 : 3)])
  }

  private var planesDescription: RasterDescription {
    let chroma = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    return RasterDescription(
      model: .yCbCr, hasAlpha: false, depth: .eight,
      planes: [size, chroma, chroma].map { RasterDescription.Plane(size: $0, components: 1) })
  }

  private func deliverPixels<Sink: RowSink & ~Copyable>(
    _ decoder: borrowing WebPFrameDecoder, _ rows: Range<Int>, into sink: inout Sink
  ) throws(DecodeFailure) {
    let samples = size.width * (hasAlpha ? 4 : 3)
    for row in rows {
      guard let start = unsafe decoder.pixels(row: row) else { throw truncation(row) }
      try sink.consume(unsafe Span(_unsafeStart: start, count: samples), plane: 0)
    }
  }

  private func deliverPlanes<Sink: RowSink & ~Copyable>(
    _ decoder: borrowing WebPFrameDecoder, _ rows: Range<Int>, into sink: inout Sink
  ) throws(DecodeFailure) {
    let widths = planesDescription.planes.map(\.size.width)
    var expansion = RangeExpansion()
    for row in rows {
      for plane in row.isMultiple(of: 2) ? 0...2 : 0...0 {
        let planeRow = plane == 0 ? row : row / 2
        guard let start = unsafe decoder.plane(plane, row: planeRow) else { throw truncation(row) }
        let samples = unsafe Span(_unsafeStart: start, count: widths[plane])
        try expansion.deliver(samples, plane: plane, into: &sink)
      }
    }
  }

  private func decodePlaced<Sink: RowSink & ~Copyable>(
    _ container: borrowing WebPContainer, into sink: inout Sink
  ) throws(DecodeFailure) {
    let store = try PixelStore.allocate(rows: size.height, bytesPerRow: size.width * 4)
    let missing = try container.drawFirstFrame(on: store, size)
    try sink.begin(pixelsDescription)
    for row in 0..<(missing ?? size.height) {
      try store.deliver(row: row, .eight, into: &sink)
    }
    if let missing { throw truncation(missing) }
  }
}
