internal import Files

/// Jobs in active/ whose worker is gone, each with the time to take it up: the first crash may be
/// anything, so it is tried again at once; after the second a pause follows the last claim, at random
/// so that several workers do not run into the same trouble together. What pauses have passed is told
/// by the file, so that workers which die in between do not begin them anew.
struct Orphans: Sendable {
  private var readyAt: [String: ContinuousClock.Instant] = [:]
  private(set) var nextScan: ContinuousClock.Instant? = .now

  /// Remembered at most; more are found at the next look.
  private static let most = 4096

  var nextRecovery: ContinuousClock.Instant? { readyAt.values.min() }

  /// Searches active/ when it is time to.
  mutating func look(
    in directory: JobDirectory, every interval: Duration
  ) throws(SystemCallFailure) {
    let now = ContinuousClock.now
    guard nextScan.map({ $0 <= now }) ?? true else { return }
    nextScan = now.advanced(by: interval)
    var names: [String] = []
    try directory.active.forEachName { name in
      names.append(name)
      return names.count < Self.most
    }
    var seen: [String: ContinuousClock.Instant] = [:]
    for text in names {
      guard let name = ActiveName(text), try directory.isOrphan(text) else { continue }
      if let known = readyAt[text] {
        seen[text] = known
      } else if let status = try directory.active.status(of: text) {
        let idle = Timestamp(nanoseconds: status.changed).duration(to: .now)
        seen[text] = now.advanced(by: Self.pause(before: name, idle: max(.zero, idle)))
      }
    }
    readyAt = seen
  }

  /// The next one whose time has come.
  mutating func takeReady() -> String? {
    let now = ContinuousClock.now
    guard let ready = readyAt.first(where: { $0.value <= now }) else { return nil }
    readyAt[ready.key] = nil
    return ready.key
  }

  private static func pause(before name: ActiveName, idle: Duration) -> Duration {
    if name.publication != nil { return .zero }
    guard name.attempt >= 2 else { return .milliseconds(Int.random(in: 0..<100)) }
    return max(.zero, .milliseconds(Int.random(in: 400..<900)) - idle)
  }
}
