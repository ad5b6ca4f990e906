internal import Media

/// What a walk over the records of a GIF tells, without decoding pixels.
struct GIFOutline {
  let canvas: PixelSize
  let firstFrame: GIFFrame
  private(set) var frames = 1
  /// One loop, as browsers play it.
  private(set) var milliseconds: Double
  /// 0 for ever; 1 where the file does not say.
  private(set) var loopCount = 1
  /// Whether the canvas shows through in any frame.
  var showsThrough: Bool { coverage.showsThrough }
  /// What ended the walk before the file's end.
  private(set) var breakOff: DecodeFailure?
  private var coverage: CanvasCoverage

  private init(canvas: PixelSize, firstFrame: GIFFrame) {
    self.canvas = canvas
    self.firstFrame = firstFrame
    milliseconds = firstFrame.milliseconds
    coverage = CanvasCoverage(canvas)
    coverage.take(firstFrame.coverage(isFirst: true))
  }

  /// Walks to the end, or to where the file breaks off once it has shown a frame.
  static func read(_ input: Int32, _ limits: DecodeLimits) throws(DecodeFailure) -> GIFOutline {
    var reader = GIFReader(input)
    let screen = try reader.screen()
    if screen.width > 0, screen.height > 0 { try screen.check(against: limits) }
    var loops: Int?
    let first = try firstFrame(&reader, loops: &loops)
    try check(first, limits)
    var outline = GIFOutline(canvas: canvas(screen, first), firstFrame: first)
    try outline.canvas.check(against: limits)
    if let loops { outline.takeLoops(loops) }
    do throws(DecodeFailure) {
      try outline.walk(&reader, limits)
    } catch .corrupt(let message) {
      // The frames so far can be shown; browsers do so too.
      outline.breakOff = .corrupt(message)
    } catch .truncated(let message) {
      outline.breakOff = .truncated(message)
    }
    return outline
  }

  /// Goes on to the first frame.
  static func firstFrame(_ reader: inout GIFReader) throws(DecodeFailure) -> GIFFrame {
    var loops: Int?
    return try firstFrame(&reader, loops: &loops)
  }

  private static func firstFrame(
    _ reader: inout GIFReader, loops: inout Int?
  ) throws(DecodeFailure) -> GIFFrame {
    while true {
      switch try reader.next() {
      case .frame(let frame): return frame
      case .loops(let count): loops = count
      case .end where reader.hasEnded: throw .truncated("no frame has come")
      case .end: throw .corrupt("a GIF without a frame")
      }
    }
  }

  private static func check(_ frame: GIFFrame, _ limits: DecodeLimits) throws(DecodeFailure) {
    let area = frame.size.area ?? .max
    guard area <= limits.maxPixels else {
      throw .tooManyPixels(declared: area, limit: limits.maxPixels)
    }
  }

  /// A screen without a size is as large as what is drawn on it.
  private static func canvas(_ screen: PixelSize, _ frame: GIFFrame) -> PixelSize {
    if screen.width > 0, screen.height > 0 { return screen }
    return PixelSize(
      width: frame.left + frame.size.width, height: frame.top + frame.size.height)
  }

  private mutating func walk(
    _ reader: inout GIFReader, _ limits: DecodeLimits
  ) throws(DecodeFailure) {
    try reader.skipPixels()
    while true {
      switch try reader.next() {
      case .frame(let frame):
        frames += 1
        guard frames <= limits.maxFrames else {
          throw .tooManyFrames(declared: frames, limit: limits.maxFrames)
        }
        milliseconds += frame.milliseconds
        coverage.take(frame.coverage(isFirst: false))
        try reader.skipPixels()
      case .loops(let count): takeLoops(count)
      case .end: return
      }
    }
  }

  /// The file counts repetitions, we count plays.
  private mutating func takeLoops(_ repetitions: Int) {
    loopCount = repetitions == 0 ? 0 : repetitions + 1
  }
}
