internal import Files
internal import Media
internal import Synchronization

/// A download that may outlast the job that began it.
final class RunningDownload: Sendable {
  typealias Outcome = Result<FetchedPicture, DownloadFault>

  private struct State {
    var outcome: Outcome?
    var task: Task<Void, Never>?
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    /// Those whose time was over before they came to wait.
    var early: Set<Int> = []
    var lastTicket = 0
  }

  /// The bytes that have come, for reading.
  private let bytes: Descriptor
  private let state = Mutex(State())

  init(into bytes: consuming Descriptor) {
    self.bytes = bytes
  }

  /// Starts the work, which goes on until it is over or cancelled, whoever waits for it.
  func start(_ work: @escaping @Sendable () async -> Outcome) {
    state.withLock { $0.task = Task { finish(await work()) } }
  }

  func cancel() {
    state.withLock { $0.task }?.cancel()
  }

  /// Waits for the end; nil when it has not come by the deadline, or the waiting task was cancelled.
  func outcome(by deadline: Deadline) async -> Outcome? {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    let timer = Task {
      try? await Task.sleep(for: deadline.remaining)
      wake(ticket)
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard state.outcome == nil, state.early.remove(ticket) == nil else { return true }
          state.waiting[ticket] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      wake(ticket)
    }
    timer.cancel()
    return state.withLock { $0.outcome }
  }

  /// Waits for the end, even in a cancelled task.
  func settled() async {
    let task = state.withLock { $0.task }
    await task?.value
  }

  /// Bytes that have come.
  var received: Int { (try? bytes.size()) ?? 0 }

  /// A copy of what has come, which no later byte changes; nil where that is nothing.
  func beginning() -> LocalInput? {
    guard let count = try? bytes.size(), count > 0,
      let copy = try? bytes.read(at: 0, count: count),
      let file = try? MemoryFile.sealed("beginning", holding: copy)
    else { return nil }
    return try? LocalInput(adopting: file)
  }

  private func finish(_ outcome: Outcome) {
    let waiting = state.withLock { state in
      state.outcome = outcome
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume() }
  }

  private func wake(_ ticket: Int) {
    let continuation = state.withLock { state in
      let continuation = state.waiting.removeValue(forKey: ticket)
      if continuation == nil { state.early.insert(ticket) }
      return continuation
    }
    continuation?.resume()
  }
}
