internal import Media

/// Plays a GIF as browsers do: disposal to the background makes transparent, whatever colour the
/// file names for it (GIF89a section 23, and what its players made of it).
struct GIFFramePlayer: ~Copyable {
  private let canvas: GIFCanvas
  private let limits: DecodeLimits
  private var reader: GIFReader
  private var due = DueDisposal()
  private var framesPlayed = 0

  private init(canvas: consuming GIFCanvas, reader: consuming GIFReader, limits: DecodeLimits) {
    self.canvas = canvas
    self.reader = reader
    self.limits = limits
  }

  /// Learns the canvas from a walk over the file's records.
  static func open(_ input: Int32, _ limits: DecodeLimits) throws(DecodeFailure) -> GIFFramePlayer {
    let size = try GIFOutline.read(input, limits).canvas
    return GIFFramePlayer(
      canvas: try GIFCanvas.allocate(size), reader: GIFReader(input), limits: limits)
  }
}

extension GIFFramePlayer: FramePlayer {
  var size: PixelSize { canvas.size }

  mutating func next() throws(DecodeFailure) -> Double? {
    guard framesPlayed < limits.maxFrames, let frame = try nextFrame() else { return nil }
    due.carryOut(on: canvas.pixels)
    let part = PixelRectangle(
      left: frame.left, top: frame.top, width: frame.size.width, height: frame.size.height)
    try due.note(
      frame.control.disposal, part.clipped(to: size), on: canvas.pixels, isFirst: framesPlayed == 0)
    let loss = try canvas.compose(frame, from: reader)
    // Lines below the canvas are left, and what follows pixels that were too few.
    if loss != nil || !canvas.readsAllLines(of: frame) { try reader.skipPixels() }
    framesPlayed += 1
    return frame.milliseconds
  }

  func withRow(
    _ row: Int, _ body: (Span<UInt8>) throws(DecodeFailure) -> Void
  ) throws(DecodeFailure) {
    try canvas.pixels.withRow(row, body)
  }

  private mutating func nextFrame() throws(DecodeFailure) -> GIFFrame? {
    while true {
      switch try reader.next() {
      case .frame(let frame): return frame
      case .loops: continue
      case .end: return nil
      }
    }
  }
}
