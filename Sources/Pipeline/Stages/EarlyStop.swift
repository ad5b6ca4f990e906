package import Media
internal import Synchronization

/// Follows a download of a progressive JPEG, and tells when what a job's pictures need of it has
/// come.
package final class EarlyStop: Sendable {
  private struct State: Sendable {
    var reader = JPEGScanReader()
    var began = ContinuousClock.now
    var beginning: FileBeginning?
  }

  private let needs: PictureNeeds
  private let deadline: Deadline
  private let state = Mutex(State())

  /// What is cheaper read to its end than left out with its connection.
  private static let leastSaving = 65_536

  /// `deadline` is that of the job's download, which may go on after it for jobs to come.
  package init(_ needs: PictureNeeds, deadline: Deadline) {
    self.needs = needs
    self.deadline = deadline
  }

  /// What the download was stopped at; nil while it was not.
  package var beginning: FileBeginning? { state.withLock { $0.beginning } }

  /// Sees bytes of the body from `offset` on; answers how many from its start are enough, nil while
  /// more are needed. `elapsed` is the time since the first bytes, where it is not that on the clock;
  /// `held` is how much of it nothing was read on purpose.
  package func look(
    _ bytes: Span<UInt8>, offset: Int, declared: Int?, elapsed: Duration? = nil,
    held: Duration = .zero
  ) -> Int? {
    state.withLock { state in
      if offset == 0 { state = State() }
      var index = 0
      while state.reader.readScan(bytes, from: &index) {
        let end = offset + index
        let passed = elapsed ?? (state.began.duration(to: .now) - held)
        guard let beginning = judge(state, end: end, declared: declared, passed) else { continue }
        state.beginning = beginning
        return end
      }
      return nil
    }
  }

  private func judge(
    _ state: State, end: Int, declared: Int?, _ elapsed: Duration
  ) -> FileBeginning? {
    guard !state.reader.isDone, let size = state.reader.size,
      declared.map({ $0 - end >= Self.leastSaving }) ?? true
    else { return nil }
    let eighths = needs.eighths(of: size)
    guard let precision = state.reader.precision(eighths: eighths) else { return nil }
    if precision.suffices() { return FileBeginning(size: size, eighths: eighths) }
    guard let declared, presses(elapsed, end: end, declared: declared),
      precision.suffices(inHurry: true)
    else { return nil }
    return FileBeginning(size: size, eighths: eighths, isHurried: true)
  }

  /// Whether the rest will not come in time at the rate at which the beginning came. Who is late
  /// already has no reason to hurry.
  private func presses(_ elapsed: Duration, end: Int, declared: Int) -> Bool {
    let rest = elapsed * (Double(declared - end) / Double(max(1, end)))
    return !deadline.hasPassed && rest > deadline.remaining
  }
}
