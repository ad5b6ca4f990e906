import Files
import Media
import Pipeline

extension Command {
  static let jobs = Command(
    name: "jobs", operands: "list|show|retry|cancel|erase|stats JOBS [ID…]",
    summary: "Looks after the queue.",
    verbs: verbs,
    options: [AnyOption(Options.json), AnyOption(Options.eraseCache)],
    exitCodes: codes("an id was not there to be treated"),
    run: { try JobsCommand($0, console: $1).run() })

  private static let verbs = [
    Verb(
      name: "list", operands: "JOBS [ID…]",
      summary: "The payloads in the directory, a line each: by state, the oldest first.",
      options: [AnyOption(Options.json)]),
    Verb(
      name: "show", operands: "JOBS ID…",
      summary: "All that is known of a job: its payloads, oldest first, and its result.",
      options: [AnyOption(Options.json)], exitCodes: codes("there is no such job")),
    Verb(
      name: "retry", operands: "JOBS ID…",
      summary: "Puts failed jobs back into incoming/ and prints their names there.",
      exitCodes: codes("an id has no failed job")),
    Verb(
      name: "cancel", operands: "JOBS ID…",
      summary: "Ends waiting and active jobs; their payloads go to done/.",
      exitCodes: codes("an id has no waiting or active job")),
    Verb(
      name: "erase", operands: "JOBS ID… [--cache DIR]",
      summary: "Removes jobs with everything made from them alone.",
      options: [AnyOption(Options.eraseCache)], exitCodes: codes("there is no such job")),
    Verb(
      name: "stats", operands: "JOBS", summary: "How many payloads and results there are.",
      options: [AnyOption(Options.json)]),
  ]

  private static func codes(_ failure: String) -> [ExitCode.Meaning] {
    [.init(.done, "done"), .init(.inputFailed, failure)]
  }
}

private struct JobsCommand {
  private enum Verb: String, CaseIterable {
    case list, show, retry, cancel, erase, stats
  }

  let arguments: Arguments
  let console: Console
  let directory: JobDirectory
  private let verb: Verb
  let identifiers: [JobIdentifier]

  init(_ arguments: Arguments, console: Console) throws {
    var arguments = arguments
    verb = try arguments.popVerb(Verb.self, of: "jobs")
    directory = try arguments.popJobDirectory(console)
    identifiers = try arguments.identifiers()
    if [.show, .retry, .cancel, .erase].contains(verb), identifiers.isEmpty {
      throw UsageError("jobs \(verb.rawValue): needs an id")
    }
    self.arguments = arguments
    self.console = console
  }

  func run() throws -> ExitCode {
    switch verb {
    case .list: try list()
    case .stats: try stats()
    case .show: try forEach { try show($0) }
    case .retry: try forEach { try retry($0) }
    case .cancel: try forEach { try directory.cancel($0) > 0 }
    case .erase: try erase()
    }
  }

  /// 1 when an id was not there to be treated.
  private func forEach(_ body: (JobIdentifier) throws -> Bool) throws -> ExitCode {
    var code = ExitCode.done
    for identifier in identifiers where try !body(identifier) {
      console.note("\(identifier): \(try nothingDone(to: identifier))")
      code = .inputFailed
    }
    return code
  }

  private func nothingDone(to identifier: JobIdentifier) throws -> String {
    let states = Set(try directory.jobs(of: identifier).map(\.shownState)).sorted()
    guard !states.isEmpty else { return "no such job; nothing to \(verb.rawValue)" }
    let rule =
      switch verb {
      case .retry: "; only failed jobs are tried again"
      case .cancel: "; only incoming and active jobs can be cancelled"
      default: ""
      }
    return "is \(states.joined(separator: " and "))\(rule)"
  }

  /// The oldest first in each state; of very many, within each part of so many.
  private func list() throws -> ExitCode {
    let mostSorted = 65_536
    for state in JobState.allCases {
      var entries: [JobEntry] = []
      try directory.forEachJob(state) { entry in
        if identifiers.isEmpty || identifiers.contains(where: { $0 == entry.identifier }) {
          entries.append(entry)
        }
        if entries.count == mostSorted { tell(&entries) }
        return true
      }
      tell(&entries)
    }
    return .done
  }

  private func tell(_ entries: inout [JobEntry]) {
    for entry in entries.sorted(by: { ($0.since, $0.name) < ($1.since, $1.name) }) {
      console.result(arguments[Options.json] ? entry.json.text : entry.text)
    }
    entries = []
  }

  private func stats() throws -> ExitCode {
    let stats = try directory.stats()
    console.result(arguments[Options.json] ? stats.json.text : stats.json.lines)
    return .done
  }

  private func show(_ identifier: JobIdentifier) throws -> Bool {
    let entries = try directory.jobs(of: identifier)
    let result = directory.result(of: identifier)
    guard !entries.isEmpty || result != nil else { return false }
    let value: JSONValue = [
      "id": .string(identifier.text), "jobs": .array(entries.map(\.json)),
      "result": result?.json ?? .null,
    ]
    console.result(arguments[Options.json] ? value.text : value.prettyText)
    return true
  }

  private func retry(_ identifier: JobIdentifier) throws -> Bool {
    let names = try directory.retry(identifier)
    for name in names { console.result(name) }
    return !names.isEmpty
  }

  private func erase() throws -> ExitCode {
    let eraser = try JobEraser(directory, cache: arguments[Options.eraseCache])
    return try forEach { try eraser.erase($0) }
  }
}

extension JobEntry {
  /// A line for a person.
  fileprivate var text: String {
    var parts = [shownState, identifier?.text ?? "-", since.rfc3339, "\(bytes) bytes"]
    if let attempt { parts.append("attempt \(attempt)") }
    if let isLeased { parts.append(isLeased ? "leased" : "free") }
    if let problem = reason?.object?["problem"]?.object {
      if let code = problem["code"]?.string { parts.append(code) }
      if identifier == nil { parts.append(FileName.shown(payloadName)) }
      if let message = problem["message"]?.string { parts.append(message) }
    }
    if let later = supersededBy { parts.append("by the payload delivered at \(later)") }
    return parts.joined(separator: "  ")
  }
}
