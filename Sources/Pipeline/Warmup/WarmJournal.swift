internal import Files
internal import Glibc
internal import SharedCache

/// What a run has done, so that the next one goes on where it stopped: a line an item, appended
/// when the item is done, gone when nothing is left. A line that was not written whole counts for
/// nothing.
struct WarmJournal: ~Copyable {
  /// How an item ended.
  enum Mark: UInt8 {
    case document = 0x64
    case picture = 0x70
    case failure = 0x66
  }

  private let folder: Directory
  private let name: String
  private let file: Descriptor
  private var unsynced = 0
  private(set) var done: [WarmKey: Mark] = [:]

  /// Items of one list of work; 18 MB.
  static let mostItems = 1_000_000
  /// An interrupted run that is older is begun anew, milliseconds.
  static let longestAge: Int64 = 86_400_000
  /// Lines that a power cut may cost; a killed process costs none.
  private static let linesPerSync = 256
  private static let lineLength = 18

  private init(_ name: String, _ file: consuming Descriptor, _ folder: consuming Directory) {
    self.name = name
    self.file = file
    self.folder = folder
  }

  /// The journal of a list of work, which is known by its name.
  static func open(
    of work: String, in folder: consuming Directory, now: Int64 = WallClock.now()
  ) throws(SystemCallFailure) -> WarmJournal {
    let name = "journal-\((ContentHash.of(work)?.hex ?? "").prefix(32))"
    if let status = try folder.status(of: name), now - status.modified / 1_000_000 > longestAge {
      try folder.remove(name)
    }
    let bytes = folder.contents(of: name, limit: mostItems * lineLength) ?? []
    let file = try folder.open(
      name, flags: O_RDWR | O_CREAT | O_APPEND, mode: WarmFolder.fileMode)
    // What was torn goes, so that the next line begins where a line begins.
    _ = ftruncate(file.number, bytes.count / lineLength * lineLength)
    var journal = WarmJournal(name, file, folder)
    journal.read(bytes)
    return journal
  }

  private mutating func read(_ bytes: [UInt8]) {
    for start in stride(from: 0, through: bytes.count - Self.lineLength, by: Self.lineLength) {
      let line = bytes[start..<start + Self.lineLength]
      guard line.last == 0x0A, let mark = Mark(rawValue: line[start + 16]),
        let bits = UInt64(String(decoding: line.prefix(16), as: UTF8.self), radix: 16)
      else { continue }
      done[WarmKey(bits: bits)] = mark
    }
  }

  /// Notes an item's end; where that fails the next run does it again.
  mutating func note(_ key: WarmKey, _ mark: Mark) {
    guard done.count < Self.mostItems else { return }
    let digits = String(key.bits, radix: 16)
    let line = String(repeating: "0", count: 16 - digits.utf8.count) + digits
    done[key] = mark
    try? file.write(Array(line.utf8) + [mark.rawValue, 0x0A])
    unsynced += 1
    if unsynced >= Self.linesPerSync { sync() }
  }

  mutating func sync() {
    unsynced = 0
    try? file.sync()
  }

  /// Nothing is left: the next run begins anew.
  borrowing func finish() {
    try? folder.remove(name)
  }
}
