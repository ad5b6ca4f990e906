internal import Media

/// Plays an animated PNG (PNG third edition, section 4.9 and 11.3.6). The canvas has eight bits a
/// component, whatever the file has.
struct PNGFramePlayer: ~Copyable {
  private let canvas: AnimationCanvas
  private let mostFrames: Int
  private let input: Int32
  private var frames: PNGFrameReader
  private var due = DueDisposal()
  private var framesPlayed = 0

  private init(
    canvas: consuming AnimationCanvas, frames: PNGFrameReader, input: Int32, mostFrames: Int
  ) {
    self.canvas = canvas
    self.frames = frames
    self.input = input
    self.mostFrames = mostFrames
  }

  /// Learns the canvas and the declared number of frames from a walk over the chunks.
  static func open(_ input: Int32, _ limits: DecodeLimits) throws(DecodeFailure) -> PNGFramePlayer {
    var reader = try InputReader(input)
    let chunks = try PNGChunks.read(&reader, limits)
    guard let width = try reader.unsigned(at: 16, bytes: 4, .big),
      let height = try reader.unsigned(at: 20, bytes: 4, .big)
    else { throw .truncated("the file ends in its header") }
    return PNGFramePlayer(
      canvas: try AnimationCanvas.allocate(PixelSize(width: width, height: height)),
      frames: try PNGFrameReader(input), input: input,
      mostFrames: min(chunks.animation.frames, limits.maxFrames))
  }
}

extension PNGFramePlayer: FramePlayer {
  var size: PixelSize { canvas.size }

  mutating func next() throws(DecodeFailure) -> Double? {
    guard framesPlayed < mostFrames, let frame = try frames.next() else { return nil }
    let (control, part) = (frame.control, frame.control.part)
    guard let clipped = part.clipped(to: size), clipped == part else {
      throw .corrupt("a frame lies outside the canvas")
    }
    due.carryOut(on: canvas)
    try due.note(control.disposal, part, on: canvas, isFirst: framesPlayed == 0)
    let pixels = try PNGFramePixels.open(
      frame, header: frames.header, shared: frames.shared, input: input)
    try pixels.deliver { row, pixels in
      unsafe draw(pixels, at: canvas.pixels(row: part.top + row) + part.left, control.isBlended)
    }
    framesPlayed += 1
    return control.milliseconds
  }

  func withRow(
    _ row: Int, _ body: (Span<UInt8>) throws(DecodeFailure) -> Void
  ) throws(DecodeFailure) {
    try canvas.withRow(row, body)
  }

  /// - Safety: `target` has room for the span's pixels.
  @unsafe private func draw(
    _ pixels: Span<UInt32>, at target: UnsafeMutablePointer<UInt32>, _ isBlended: Bool
  ) {
    for x in pixels.indices {
      let pixel = pixels[x]
      let isPlain = !isBlended || pixel >> 24 == 255
      unsafe target[x] = isPlain ? pixel : Self.blend(pixel, over: target[x])
    }
  }

  /// Straight alpha over straight alpha, rounded to nearest (PNG third edition, section 13.16).
  private static func blend(_ top: UInt32, over bottom: UInt32) -> UInt32 {
    let topAlpha = top >> 24
    if topAlpha == 0 { return bottom }
    // In units of 1/65025.
    let topShare = topAlpha * 255
    let bottomShare = (255 - topAlpha) * (bottom >> 24)
    let alpha = topShare + bottomShare
    var blended = ((alpha + 127) / 255) << 24
    for shift in [UInt32(0), 8, 16] {
      let sum = (top >> shift & 255) * topShare + (bottom >> shift & 255) * bottomShare
      blended |= ((sum + alpha / 2) / alpha) << shift
    }
    return blended
  }
}
