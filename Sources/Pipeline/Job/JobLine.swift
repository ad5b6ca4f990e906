/// The waiting jobs in the order of their deadlines. Making it costs time that grows with their
/// number, so that a long one holds for a few milliseconds even when others come.
struct JobLine: Sendable {
  struct Place: Sendable {
    let deadline: Timestamp
    /// The file's change time, nanoseconds since 1970.
    let delivered: Int64
    let name: String
  }

  /// The next one last.
  var places: [Place] = []
  /// The backlog's count of changes that it was made for; nil when it is not complete.
  var changes: Int?
  /// The delivery after which jobs were left out; nil when none was.
  private var latest: Timestamp?
  private var madeAt: ContinuousClock.Instant?
  /// When a payload that was postponed comes back.
  private var holdsUntil: ContinuousClock.Instant?

  /// When to look at the payloads that it was made without.
  var nextLook: ContinuousClock.Instant? {
    changes == nil ? madeAt?.advanced(by: Self.patience) : nil
  }

  private static let patience = Duration.milliseconds(5)
  /// Shorter ones are made anew at once.
  private static let longLine = 256

  init() {}

  init(
    _ places: [Place], of changes: Int?, deliveredBy latest: Timestamp?,
    madeAt: ContinuousClock.Instant,
    holdsUntil: ContinuousClock.Instant?
  ) {
    self.places = places.sorted { ($1.deadline, $1.delivered) < ($0.deadline, $0.delivered) }
    self.changes = changes
    self.latest = latest
    self.madeAt = madeAt
    self.holdsUntil = holdsUntil
  }

  func holds(
    _ changes: Int, deliveredBy latest: Timestamp?, _ now: ContinuousClock.Instant
  ) -> Bool {
    guard let madeAt, latest == self.latest, holdsUntil.map({ now < $0 }) ?? true else {
      return false
    }
    if self.changes == changes { return true }
    return places.count > Self.longLine && madeAt.duration(to: now) < Self.patience
  }
}
