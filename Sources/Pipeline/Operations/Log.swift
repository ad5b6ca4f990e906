internal import Files
internal import Glibc
package import Media

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

/// Log records on standard error, one line each, the job's id in every record about a job. Fields
/// follow the message as `name=value`, and are members of their own in JSON.
package struct Log: Sendable {
  /// That of the job which the current task works for; nil where it works for none.
  @TaskLocal package static var current: Log?

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

  package func debug(
    _ message: @autoclosure () -> String, _ fields: @autoclosure () -> JSONObject = [:]
  ) {
    write(.debug, message, fields)
  }

  package func info(
    _ message: @autoclosure () -> String, _ fields: @autoclosure () -> JSONObject = [:]
  ) {
    write(.info, message, fields)
  }

  package func warning(_ message: @autoclosure () -> String) { write(.warning, message, { [:] }) }
  package func error(_ message: @autoclosure () -> String) { write(.error, message, { [:] }) }

  private func write(_ level: LogLevel, _ message: () -> String, _ fields: () -> JSONObject) {
    guard level >= self.level else { return }
    let line =
      format == .json
      ? jsonLine(level, message(), fields()) : textLine(level, message(), fields())
    let descriptor = Descriptor(adopting: STDERR_FILENO)
    // A log that cannot be written must not stop the work it tells of.
    try? descriptor.write(Array((line + "\n").utf8))
    _ = descriptor.release()
  }

  /// The line as a person reads it.
  func textLine(_ level: LogLevel, _ message: String, _ fields: JSONObject) -> String {
    let subject = job.map { " job=\($0)" } ?? ""
    let oneLine = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    let rest = fields.members.map { " \($0.name)=\(Self.text(of: $0.value))" }.joined()
    return "\(Timestamp.now.rfc3339) \(level.rawValue)\(subject) \(oneLine)\(rest)"
  }

  /// A list has commas, what is empty or missing a hyphen.
  private static func text(of value: JSONValue) -> String {
    guard value != .null else { return "-" }
    guard let elements = value.array else { return value.string ?? value.text }
    return elements.isEmpty ? "-" : elements.map(text).joined(separator: ",")
  }

  /// The line as a program reads it.
  func jsonLine(_ level: LogLevel, _ message: String, _ fields: JSONObject) -> String {
    var record: JSONObject = [
      "time": .string(Timestamp.now.rfc3339), "level": .string(level.rawValue),
      "message": .string(message),
    ]
    if let job { record.members.append(.init(name: "job", value: .string(job))) }
    record.members += fields.members
    return JSONValue.object(record).text
  }
}
