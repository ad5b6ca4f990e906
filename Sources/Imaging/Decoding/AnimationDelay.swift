/// How long browsers show a frame.
enum AnimationDelay {
  /// Delays up to 10 ms are taken for "as fast as possible", which browsers slow down to 100 ms.
  static func played(milliseconds: Double) -> Double {
    milliseconds <= 10 ? 100 : milliseconds
  }
}
