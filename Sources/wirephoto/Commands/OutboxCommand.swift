import Files
import Media
import Pipeline

extension Command {
  static let outbox = Command(
    name: "outbox", operands: "follow|ack JOBS [ID…]",
    summary: "Follows results as they appear, one manifest a line; ack removes a folder.",
    verbs: [
      Verb(
        name: "follow", operands: "JOBS [ID…]",
        summary: "Prints manifests, one a line: those that are there, then each new one.",
        details: "Ends when its output is closed; with ids, when each of them has appeared."),
      Verb(
        name: "ack", operands: "JOBS ID…", summary: "Removes results from the outbox.",
        exitCodes: [.init(.done, "done"), .init(.inputFailed, "an id is not in the outbox")]),
    ],
    options: [],
    exitCodes: [.init(.done, "done"), .init(.inputFailed, "ack: an id is not in the outbox")],
    run: { try await OutboxCommand($0, console: $1).run() })
}

private struct OutboxCommand {
  private enum Verb: String, CaseIterable {
    case follow, ack
  }

  let console: Console
  let directory: JobDirectory
  private let verb: Verb
  let identifiers: [JobIdentifier]

  init(_ arguments: Arguments, console: Console) throws {
    var arguments = arguments
    verb = try arguments.popVerb(Verb.self, of: "outbox")
    directory = try arguments.popJobDirectory(console)
    identifiers = try arguments.identifiers()
    if verb == .ack, identifiers.isEmpty { throw UsageError("outbox ack: needs an id") }
    self.console = console
  }

  func run() async throws -> ExitCode {
    switch verb {
    case .follow: try follow()
    case .ack: try acknowledge()
    }
  }

  /// Runs until the process is ended, or nobody reads its output any more; with ids, until each of
  /// them has appeared.
  private func follow() throws -> ExitCode {
    var follower = try OutboxFollower.open(directory)
    var missing = Set(identifiers.map(\.text))
    while true {
      for manifest in try follower.news() where isWanted(manifest) {
        guard console.isRead(manifest.json.text) else { return .done }
        missing.remove(manifest.id ?? "")
      }
      if !identifiers.isEmpty, missing.isEmpty { return .done }
      try follower.wait(upTo: .seconds(5))
    }
  }

  private func isWanted(_ manifest: PublishedManifest) -> Bool {
    identifiers.isEmpty || identifiers.contains { $0.text == manifest.id }
  }

  private func acknowledge() throws -> ExitCode {
    var code = ExitCode.done
    for identifier in identifiers where try !directory.acknowledge(identifier) {
      console.note("\(identifier): not in the outbox")
      code = .inputFailed
    }
    return code
  }
}
