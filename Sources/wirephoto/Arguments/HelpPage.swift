/// The page that `--help` prints for a command or for one of its verbs.
struct HelpPage {
  /// What follows `wirephoto`.
  let usage: String
  let summary: String
  /// Paragraphs for who wants to know more; lines are broken already.
  var details: String = ""
  var verbs: [Command.Verb] = []
  var options: [AnyOption] = []
  var exitCodes: [ExitCode.Meaning] = []

  var text: String {
    [
      "usage: wirephoto \(usage)", summary, details,
      Self.table(verbs.map { ($0.name, $0.summary) }),
      verbs.first.map { "Each has a help of its own: \($0.name) --help and so on." } ?? "",
      Self.table(optionRows), environment,
      exitCodes.isEmpty ? "" : "Exit codes:\n" + Self.table(exitRows),
    ].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private var optionRows: [(String, String)] {
    (options + Command.common).map { option in
      ([option.name, option.placeholder].compactMap { $0 }.joined(separator: " "), option.summary)
    }
  }

  private var environment: String {
    guard let first = options.first else { return "" }
    return "Each option has an environment variable: \(first.name) is \(first.environmentVariable)."
      + " The command line wins."
  }

  private var exitRows: [(String, String)] {
    let always = [
      ExitCode.Meaning(.usage, "wrong usage: one line names the option or variable"),
      ExitCode.Meaning(.environment, "the environment is at fault: a directory, the sandbox"),
    ]
    return (exitCodes + always).sorted { $0.code.rawValue < $1.code.rawValue }
      .map { ("\($0.code.rawValue)", $0.text) }
  }

  /// Rows in two columns, the second of which is one line each.
  static func table(_ rows: [(label: String, text: String)]) -> String {
    let width = rows.map(\.label.count).max() ?? 0
    return rows.map { row in
      "  \(row.label)\(String(repeating: " ", count: width - row.label.count))  \(row.text)"
    }.joined(separator: "\n")
  }
}

extension ExitCode {
  /// What a command means by one of its codes.
  struct Meaning: Sendable {
    let code: ExitCode
    let text: String

    init(_ code: ExitCode, _ text: String) {
      self.code = code
      self.text = text
    }
  }
}
