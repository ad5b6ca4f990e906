import Files
import Glibc

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
    write("\r\(done) of \(total), \(Int(rate)) a second, \(left) s left\u{1B}[K")
  }

  /// Takes the line away, so that other output has the terminal.
  func clear() {
    if isShown, total > 1, done > 0 { write("\r\u{1B}[K") }
  }

  private func write(_ text: String) {
    let descriptor = Descriptor(adopting: STDERR_FILENO)
    try? descriptor.write(Array(text.utf8))
    _ = descriptor.release()
  }
}
