import Files
import Glibc

/// How far long work is: count, rate and time left, on a terminal alone.
struct ProgressLine {
  private let what: String
  private let isShown = isatty(STDERR_FILENO) == 1
  private let start = ContinuousClock.now
  private var nextShow = ContinuousClock.now
  private var isOnScreen = false

  private static let pause = Duration.milliseconds(200)

  /// `what` names the things that are counted.
  init(_ what: String) {
    self.what = what
  }

  /// Shows the line, some times a second at most. `total` may still grow.
  mutating func show(_ done: Int, of total: Int) {
    guard isShown, total > 1, .now >= nextShow || done == total else { return }
    nextShow = .now.advanced(by: Self.pause)
    isOnScreen = true
    Terminal.write("\r\(text(done, total))\u{1B}[K")
  }

  private func text(_ done: Int, _ total: Int) -> String {
    let (seconds, attoseconds) = start.duration(to: .now).components
    let elapsed = Double(seconds) + Double(attoseconds) / 1e18
    let rate = elapsed > 0 ? Double(done) / elapsed : 0
    let left = rate > 0 ? Int(min(Double(max(0, total - done)) / rate, 1e9).rounded(.up)) : 0
    let pace = rate < 10 ? String(Double(Int(rate * 10)) / 10) : String(Int(min(rate, 1e9)))
    return "\(done) of \(total) \(what), \(pace) a second, \(left) s left"
  }

  /// Takes the line away, so that other output has the terminal.
  mutating func clear() {
    if isOnScreen { Terminal.write("\r\u{1B}[K") }
    isOnScreen = false
    nextShow = .now
  }
}

/// Standard error as a terminal.
private enum Terminal {
  static func write(_ text: String) {
    let descriptor = Descriptor(adopting: STDERR_FILENO)
    try? descriptor.write(Array(text.utf8))
    _ = descriptor.release()
  }
}
