package import Media

/// A GIF decoder: facts of the whole animation from a walk that decodes no pixels, and the first
/// frame composed on its canvas. The C library is giflib.
package struct GIFDecoder: ~Copyable {
  private let input: Int32
  private var size = PixelSize(width: 0, height: 0)
  /// Of the first frame.
  private var hasAlpha = false
  private var breakOff: DecodeFailure?

  /// Adopts nothing but the number: `input` is read by offset and stays its owner's.
  package init(input: Int32) {
    self.input = input
  }
}

extension GIFDecoder: PictureDecoder {
  package mutating func readHeader(
    _ limits: DecodeLimits
  ) throws(DecodeFailure) -> PictureHeader {
    let outline = try GIFOutline.read(input, limits)
    size = outline.canvas
    hasAlpha = !outline.firstFrame.covers(size)
    breakOff = outline.breakOff
    let isAnimated = outline.frames > 1
    let facts = PictureFacts(
      format: .gif, storedSize: size, frames: outline.frames,
      durationSeconds: isAnimated ? outline.milliseconds / 1000 : nil,
      hasAlpha: outline.showsThrough)
    return PictureHeader(facts: facts, loopCount: isAnimated ? outline.loopCount : nil)
  }

  package mutating func decode<Sink: RowSink & ~Copyable>(
    needed: PixelSize?, into sink: inout Sink
  ) throws(DecodeFailure) {
    var reader = GIFReader(input)
    let frame = try GIFOutline.firstFrame(&reader)
    let canvas = try GIFCanvas.allocate(size)
    let loss = try canvas.compose(frame, from: reader)
    try sink.begin(description)
    var scratch = [UInt8](repeating: 0, count: size.width * 3)
    for row in 0..<(loss?.firstMissingRow ?? size.height) {
      if hasAlpha {
        try canvas.deliver(row: row, into: &sink)
      } else {
        try canvas.deliverOpaque(row: row, scratch: &scratch, into: &sink)
      }
    }
    if let loss { throw loss.failure }
  }

  /// A later frame that is broken, not cut, is left out as browsers do, unless all are asked for.
  package func checkLaterFrames(isThorough: Bool) throws(DecodeFailure) {
    if let breakOff, isThorough { throw breakOff }
    if case .truncated = breakOff, let breakOff { throw breakOff }
    if isThorough { try decodeAll() }
  }

  private func decodeAll() throws(DecodeFailure) {
    var reader = GIFReader(input)
    while true {
      switch try reader.next() {
      case .frame(let frame):
        var line = [UInt8](repeating: 0, count: frame.size.width)
        for index in 0..<frame.size.height {
          try reader.readLine(into: &line, isLast: index + 1 == frame.size.height)
        }
      case .loops: continue
      case .end: return
      }
    }
  }

  private var description: RasterDescription {
    RasterDescription(
      model: .rgb, hasAlpha: hasAlpha, depth: .eight,
      planes: [RasterDescription.Plane(size: size, components: hasAlpha ? 4 : 3)])
  }
}
