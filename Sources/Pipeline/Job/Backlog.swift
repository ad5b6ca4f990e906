internal import Files

/// What is known of incoming/: at most so many names, the oldest.
struct Backlog: ~Copyable, Sendable {
  struct Entry: Sendable {
    let name: PayloadFileName
    /// The file's change time, nanoseconds since 1970.
    var delivered: Int64
    var size: Int
    var isRegularFile = true
    /// Whether it was renamed in, as producers should.
    var isComplete: Bool
    /// Nil until the payload was looked at.
    var deadline: Timestamp?
    /// Not to be claimed before; nil when it may be at once.
    var notBefore: ContinuousClock.Instant?
  }

  var entries: [String: Entry] = [:] {
    didSet { changes &+= 1 }
  }
  /// Counts what changed, so that an order made of the entries is known to hold.
  private(set) var changes = 0
  /// Whether there are names that were not looked at, or were looked at and forgotten.
  var hasMore = true
  var cursor: DirectoryCursor?
  /// Whether names were forgotten since the reading began at the directory's start.
  private var hasForgotten = false
  var nextScan: ContinuousClock.Instant? = .now
  /// Names that the reading under way may still look at.
  var unscanned = 0
  /// Names with extensions that we do not read, as far as they are remembered.
  private var foreign: Set<String> = []
  /// Those of them that nobody was told of.
  private var untold: [String] = []

  private static let mostForeign = 1024

  /// The time of the next second try.
  var nextRetry: ContinuousClock.Instant? { entries.values.lazy.compactMap(\.notBefore).min() }

  /// Names with foreign extensions that were not given before.
  mutating func takeForeignNames() -> [String] {
    defer { untold = [] }
    return untold
  }

  private mutating func noteForeign(_ name: String) {
    guard PayloadFileName.isForeign(name), foreign.count < Self.mostForeign,
      foreign.insert(name).inserted
    else { return }
    untold.append(name)
  }

  mutating func postpone(_ entry: Entry, by duration: Duration) {
    var entry = entries[entry.name.text] ?? entry
    entry.isComplete = false
    entry.deadline = nil
    entry.notBefore = ContinuousClock.now.advanced(by: duration)
    entries[entry.name.text] = entry
  }
}

extension Backlog {
  /// Takes in a name that was announced; a full list leaves it to a later reading of the directory.
  mutating func note(
    _ text: String, isComplete: Bool, in directory: borrowing Directory, most: Int
  ) throws(SystemCallFailure) {
    guard let name = PayloadFileName(text) else { return }
    guard entries.count < most || entries[text] != nil else {
      (hasMore, hasForgotten) = (true, true)
      return
    }
    guard let status = try directory.status(of: text) else {
      entries[text] = nil
      return
    }
    entries[text] = Entry(
      name: name, delivered: status.changed, size: status.size,
      isRegularFile: status.isRegularFile, isComplete: isComplete,
      deadline: nil, notBefore: entries[text]?.notBefore)
  }

  /// Reads on in the directory, at most `step` names of those that the reading may look at; in the
  /// end the `most` oldest of them and of what was known are kept, and less than twice as many on the
  /// way. Answers whether it came to the directory's end.
  mutating func scan(
    _ directory: borrowing Directory, most: Int, step: Int
  ) throws(SystemCallFailure) -> Bool {
    if self.cursor == nil { hasForgotten = false }
    var isAtEnd = false
    var cursor =
      if let begun = self.cursor.take() { begun } else { try DirectoryCursor.start(in: directory) }
    let count = min(step, unscanned)
    unscanned -= count
    for _ in 0..<count {
      guard let text = try cursor.next() else {
        isAtEnd = true
        break
      }
      noteForeign(text)
      guard let name = PayloadFileName(text), entries[text] == nil,
        let status = try directory.status(of: text)
      else { continue }
      entries[text] = Entry(
        name: name, delivered: status.changed, size: status.size,
        isRegularFile: status.isRegularFile, isComplete: false,
        deadline: nil)
      if entries.count >= 2 * most { forgetNewest(keeping: most) }
    }
    if isAtEnd { unscanned = 0 }
    if unscanned == 0 { forgetNewest(keeping: most) }
    hasMore = !isAtEnd || hasForgotten
    if !isAtEnd { self.cursor = consume cursor }
    return isAtEnd
  }

  private mutating func forgetNewest(keeping most: Int) {
    guard entries.count > most else { return }
    hasForgotten = true
    let oldest = entries.values.sorted { $0.delivered < $1.delivered }.prefix(most)
    entries = Dictionary(uniqueKeysWithValues: oldest.map { ($0.name.text, $0) })
  }
}
