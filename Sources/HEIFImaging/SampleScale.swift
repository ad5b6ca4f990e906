/// How stored samples stand for a component's share, 0 to 1 (ITU-T H.273, 8.3).
struct SampleScale {
  let bitDepth: Int
  /// Whether black is 16 and white 235, in units of 8 bits.
  let isLimited: Bool

  /// For each stored sample its value on a scale up to `maximum`; nil where both are the same.
  func table(maximum: Int) -> [UInt16]? {
    let count = 1 << bitDepth
    if !isLimited, maximum == count - 1 { return nil }
    let black = isLimited ? 16 << (bitDepth - 8) : 0
    let span = isLimited ? 219 << (bitDepth - 8) : count - 1
    return (0..<count).map { sample in
      let share = min(max(sample - black, 0), span)
      return UInt16(clamping: (share * maximum + span / 2) / span)
    }
  }
}
