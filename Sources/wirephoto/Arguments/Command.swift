/// One command: what help, parsing and running need.
struct Command: Sendable {
  let name: String
  /// Operands as help shows them.
  let operands: String
  let summary: String
  let options: [AnyOption]
  let run: @Sendable (Arguments, Console) async throws -> ExitCode

  /// Options that every command takes.
  static let common = [AnyOption(Options.help), AnyOption(Options.version)]

  private var example: String {
    options.first.map { ": \($0.name) is \($0.environmentVariable)" } ?? ""
  }

  /// The help page, options in the table's order.
  var help: String {
    let allOptions = options + Self.common
    let labels = allOptions.map {
      [$0.name, $0.placeholder].compactMap { $0 }.joined(separator: " ")
    }
    let width = labels.map(\.count).max() ?? 0
    let rows = zip(labels, allOptions).map { label, option in
      "  \(label)\(String(repeating: " ", count: width - label.count))  \(option.summary)"
    }
    return """
      usage: wirephoto \(name) \(operands)

      \(summary)

      \(rows.joined(separator: "\n"))

      Each option has an environment variable\(example). The command line wins.
      """
  }
}
