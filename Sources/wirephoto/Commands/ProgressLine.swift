import Files
import Glibc

/// A count that grows, on a terminal alone.
struct CountLine {
  private let isShown = isatty(STDERR_FILENO) == 1
  private let start = ContinuousClock.now
  private var nextShow = ContinuousClock.now

  mutating func show(_ count: Int, _ what: String) {
    guard isShown, .now >= nextShow else { return }
    nextShow = .now.advanced(by: .milliseconds(200))
    let seconds = max(1, start.duration(to: .now).components.seconds)
    Terminal.write("\r\(count) \(what), \(count / Int(seconds)) a second\u{1B}[K")
  }

  func clear() {
    if isShown { Terminal.write("\r\u{1B}[K") }
  }
}

/// How far long work is: count, rate and time left, on a terminal alone.
struct ProgressLine {
  private let total: Int
  private let isShown = isatty(STDERR_FILENO) == 1
  private let start = ContinuousClock.now
  private var done = 0

  init(total: Int) {
    self.total = total
  }

  /// Counts one more, and shows it.
  mutating func advance() {
    done += 1
    guard isShown, total > 1 else { return }
    let (seconds, attoseconds) = start.duration(to: .now).components
    let elapsed = Double(seconds) + Double(attoseconds) / 1e18
    let rate = elapsed > 0 ? Double(done) / elapsed : 0
    let left = rate > 0 ? Int((Double(total - done) / rate).rounded(.up)) : 0
    Terminal.write("\r\(done) of \(total), \(Int(rate)) a second, \(left) s left\u{1B}[K")
  }

  /// Takes the line away, so that other output has the terminal.
  func clear() {
    if isShown, total > 1, done > 0 { Terminal.write("\r\u{1B}[K") }
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
