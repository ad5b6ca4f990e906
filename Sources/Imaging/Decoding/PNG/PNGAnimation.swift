/// What the control chunks of an animated PNG declare (PNG third edition, section 11.3.6).
struct PNGAnimation {
  private var declaredFrames = 0
  private var plays = 0
  private var controls = 0
  private var milliseconds = 0.0

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

  private mutating func takeControl(_ payload: [UInt8]) {
    guard let frames = payload.unsigned(at: 0, bytes: 4, .big), frames <= Int(Int32.max),
      let plays = payload.unsigned(at: 4, bytes: 4, .big)
    else { return }
    declaredFrames = frames
    self.plays = plays
  }

  /// A denominator of 0 stands for hundredths.
  private mutating func takeFrame(_ payload: [UInt8]) {
    guard let numerator = payload.unsigned(at: 20, bytes: 2, .big),
      let denominator = payload.unsigned(at: 22, bytes: 2, .big)
    else { return }
    controls += 1
    let delay = 1000 * Double(numerator) / Double(denominator == 0 ? 100 : denominator)
    milliseconds += AnimationDelay.played(milliseconds: delay)
  }
}
