/// A name in active/: all that must outlive the worker.
/// `<delivered ns>.<arrival ms>.<attempt>.<publication>.<name>`
///
/// A name that would exceed the file system's 255 bytes is kept as its encoded id and extension,
/// after `~` in place of the last dot.
package struct ActiveName: Sendable, Hashable {
  /// A folder staged in the outbox, as the name marks it from before its renaming on.
  package struct Publication: Sendable, Hashable {
    /// 16 hexadecimal digits, no two alike.
    let token: String
    /// The staged folder's: once it has its final name, the staged name is gone or is the folder
    /// that it replaced.
    let inode: UInt64

    package init(token: String, inode: UInt64) {
      self.token = token
      self.inode = inode
    }
  }

  /// The file's change time in incoming/, nanoseconds since 1970.
  package var delivered: Int64
  /// What the deadline counts from.
  package var arrival: Timestamp
  /// From 1; 0 for a job that was handed back and stays here.
  package var attempt: Int
  package var publication: Publication?
  /// The name it had in incoming/; nil where that was too long.
  package let originalName: PayloadFileName?
  /// The encoded id that stands for a name that was too long.
  package let shortened: JobIdentifier?
  package let fileExtension: String

  /// What a file system takes, less room for times, attempt and publication.
  private static let mostNameBytes = 255 - 85

  package init?(claiming name: PayloadFileName, delivered: Int64, arrival: Timestamp) {
    let isLong = name.text.utf8.count > Self.mostNameBytes
    shortened = isLong ? JobIdentifier(stem: name.stem) : nil
    if isLong, shortened == nil { return nil }
    originalName = isLong ? nil : name
    fileExtension = name.fileExtension
    self.delivered = delivered
    self.arrival = arrival
    attempt = 1
  }

  /// Reads a name of active/; nil for what we did not write.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let delivered = Int64(parts[0]), let arrival = Int64(parts[1]),
      let attempt = Int(parts[2]), attempt >= 0,
      let end = parts[3].firstIndex(where: { $0 == "." || $0 == "~" }),
      let name = PayloadFileName(String(parts[3][parts[3].index(after: end)...]))
    else { return nil }
    let mark = parts[3][..<end]
    publication = Publication(mark)
    if publication == nil, mark != "0" { return nil }
    let isLong = parts[3][end] == "~"
    shortened = isLong ? JobIdentifier(encoded: name.stem) : nil
    if isLong, shortened == nil { return nil }
    originalName = isLong ? nil : name
    fileExtension = name.fileExtension
    self.delivered = delivered
    self.arrival = Timestamp(milliseconds: arrival)
    self.attempt = attempt
  }

  package var text: String {
    let mark = publication.map { "\($0.token)-\(String($0.inode, radix: 16))" } ?? "0"
    return "\(delivered).\(arrival.milliseconds).\(attempt).\(mark)"
      + (shortened == nil ? "." : "~") + payloadName
  }

  /// The name in done/, failed/ and incoming/.
  package var payloadName: String {
    originalName?.text ?? "\(shortened?.text ?? "").\(fileExtension)"
  }

  /// The id of a payload that has none of its own.
  package var fallbackIdentifier: JobIdentifier? {
    shortened ?? originalName.flatMap { JobIdentifier(stem: $0.stem) }
  }
}

extension ActiveName.Publication {
  /// Reads `<token>-<inode>`.
  fileprivate init?(_ text: Substring) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 16, let inode = UInt64(parts[1], radix: 16)
    else { return nil }
    token = String(parts[0])
    self.inode = inode
  }
}
