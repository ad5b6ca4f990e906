internal import Files

/// The files that this process has lately found whole, so that a picture asked for again and again
/// is not hashed each time. A file counts only while inode, time of change and length are the same,
/// and for a minute: damage below the file system shows after that.
struct VerifiedFiles: ~Copyable {
  private struct Entry {
    var status: FileStatus
    var until: ContinuousClock.Instant
  }

  static let trust = Duration.seconds(60)
  static let capacity = 4096
  private var entries: [ObjectName: Entry] = [:]

  func contains(_ name: ObjectName, _ status: FileStatus) -> Bool {
    guard let entry = entries[name], entry.until > .now else { return false }
    return entry.status.inode == status.inode && entry.status.device == status.device
      && entry.status.modified == status.modified && entry.status.size == status.size
  }

  mutating func insert(_ name: ObjectName, _ status: FileStatus) {
    if entries.count >= Self.capacity { entries.removeAll(keepingCapacity: true) }
    entries[name] = Entry(status: status, until: .now.advanced(by: Self.trust))
  }

  mutating func remove(_ name: ObjectName) {
    entries[name] = nil
  }
}
