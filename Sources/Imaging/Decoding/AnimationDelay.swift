/// How long browsers show a frame.
enum AnimationDelay {
  /// Delays below 20 ms are taken for "as fast as possible", which browsers slow down to 100 ms.
  static func played(milliseconds: Double) -> Double {
    milliseconds < 20 ? 100 : milliseconds
  }
}
