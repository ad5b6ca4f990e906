internal import Media

/// How many scans of a picture are read.
package enum ScanUse: Sendable, Hashable {
  case all
  /// The first that show something of all parts of the picture.
  case coarsest
  /// Those that change visibly what is delivered; in a hurry, by more than one bit. `time` is what
  /// decoding may take, nil for any.
  case enough(time: Duration?)
}

/// Whether reading the rest of a picture's scans takes too much of the time there is.
struct ScanPace: Sendable {
  private let deadline: Deadline?
  private let bytes: Int
  private let began = ContinuousClock.now

  /// `bytes` is the length of the file.
  init(_ use: ScanUse, bytes: Int) {
    deadline = if case .enough(let time?) = use { .after(time) } else { nil }
    self.bytes = bytes
  }

  /// Whether the bytes after the first `read` will take more than half of the time left, by what
  /// those took: the rest is for scaling and encoding.
  func presses(_ read: Int) -> Bool {
    guard let deadline, read > 0, read < bytes else { return false }
    let rest = began.duration(to: .now) * (Double(bytes - read) / Double(read))
    return rest * 2 > deadline.remaining
  }
}
