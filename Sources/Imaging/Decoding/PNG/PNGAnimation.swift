internal import Media

/// What the control chunks of an animated PNG declare (PNG third edition, section 11.3.6).
struct PNGAnimation {
  private var declaredFrames = 0
  private var plays = 0
  private var controls = 0
  private var milliseconds = 0.0
  private var frameCoverages: [CanvasCoverage.Frame] = []

  private static let mostCoverages = 10_000

  private var isAnimation: Bool { declaredFrames > 0 && controls > 0 }

  /// 1 for a still.
  var frames: Int { isAnimation ? declaredFrames : 1 }

  /// 0 for ever; nil for a still.
  var loopCount: Int? { frames > 1 ? plays : nil }

  /// One loop; nil for a still.
  var durationSeconds: Double? { frames > 1 ? milliseconds / 1000 : nil }

  mutating func take(_ type: String, _ payload: [UInt8], beforeImageData: Bool) {
    switch type {
    case "acTL" where beforeImageData && declaredFrames == 0: takeControl(payload)
    case "fcTL": takeFrame(payload)
    default: break
    }
  }

  /// Whether the canvas shows through where no pixel of the file is transparent.
  func showsThrough(_ canvas: PixelSize) -> Bool {
    guard frames > 1 else { return false }
    var coverage = CanvasCoverage(canvas)
    for frame in frameCoverages { coverage.take(frame) }
    return coverage.showsThrough
  }

  /// Clearing (dispose_op 1) leaves transparent black; of the first frame, restoring (2) does too.
  private mutating func takePlace(_ payload: [UInt8]) {
    guard frameCoverages.count < Self.mostCoverages, payload.count >= 26,
      let width = payload.unsigned(at: 4, bytes: 4, .big),
      let height = payload.unsigned(at: 8, bytes: 4, .big),
      let left = payload.unsigned(at: 12, bytes: 4, .big),
      let top = payload.unsigned(at: 16, bytes: 4, .big)
    else { return }
    frameCoverages.append(
      CanvasCoverage.Frame(
        left: left, top: top, size: PixelSize(width: width, height: height), isOpaque: true,
        clears: payload[24] == 1 || (frameCoverages.isEmpty && payload[24] == 2)))
  }

  private mutating func takeControl(_ payload: [UInt8]) {
    guard let frames = payload.unsigned(at: 0, bytes: 4, .big), frames <= Int(Int32.max),
      let plays = payload.unsigned(at: 4, bytes: 4, .big)
    else { return }
    declaredFrames = frames
    self.plays = plays
  }

  private mutating func takeFrame(_ payload: [UInt8]) {
    guard let delay = PNGAnimation.delay(payload) else { return }
    controls += 1
    takePlace(payload)
    milliseconds += delay
  }

  /// How long browsers show the frame of a control chunk, in milliseconds. A denominator of 0 stands
  /// for hundredths.
  static func delay(_ payload: [UInt8]) -> Double? {
    guard let numerator = payload.unsigned(at: 20, bytes: 2, .big),
      let denominator = payload.unsigned(at: 22, bytes: 2, .big)
    else { return nil }
    let delay = 1000 * Double(numerator) / Double(denominator == 0 ? 100 : denominator)
    return AnimationDelay.played(milliseconds: delay)
  }
}
