internal import Files
internal import Glibc
internal import Media

/// How much a record matters; raw values are `--log-level`'s.
package enum LogLevel: String, Sendable, CaseIterable, Comparable {
  case debug, info, warning, error

  package static func < (left: LogLevel, right: LogLevel) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The form of log records; raw values are `--log-format`'s.
package enum LogFormat: String, Sendable, CaseIterable {
  case text, json
}

/// Log records on standard error, one line each, the job's id in every record about a job.
package struct Log: Sendable {
  private let level: LogLevel
  private let format: LogFormat
  private let job: String?

  package init(level: LogLevel, format: LogFormat) {
    self.init(level: level, format: format, job: nil)
  }

  private init(level: LogLevel, format: LogFormat, job: String?) {
    self.level = level
    self.format = format
    self.job = job
  }

  /// The same log, its records about one job.
  package func about(job: String) -> Log {
    Log(level: level, format: format, job: job)
  }

  package func debug(_ message: @autoclosure () -> String) { write(.debug, message) }
  package func info(_ message: @autoclosure () -> String) { write(.info, message) }
  package func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
  package func error(_ message: @autoclosure () -> String) { write(.error, message) }

  private func write(_ level: LogLevel, _ message: () -> String) {
    guard level >= self.level else { return }
    let line = format == .json ? jsonLine(level, message()) : textLine(level, message())
    let descriptor = Descriptor(adopting: STDERR_FILENO)
    // A log that cannot be written must not stop the work it tells of.
    try? descriptor.write(Array((line + "\n").utf8))
    _ = descriptor.release()
  }

  private func textLine(_ level: LogLevel, _ message: String) -> String {
    let subject = job.map { " job=\($0)" } ?? ""
    let oneLine = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    return "\(Timestamp.now.rfc3339) \(level.rawValue)\(subject) \(oneLine)"
  }

  private func jsonLine(_ level: LogLevel, _ message: String) -> String {
    var record: JSONObject = [
      "time": .string(Timestamp.now.rfc3339), "level": .string(level.rawValue),
      "message": .string(message),
    ]
    if let job { record.members.append(.init(name: "job", value: .string(job))) }
    return JSONValue.object(record).text
  }
}
