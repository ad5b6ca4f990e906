/// One command: what help, parsing and running need.
struct Command: Sendable {
  /// What the first operand of some commands says is to be done.
  struct Verb: Sendable {
    let name: String
    /// The operands behind it.
    let operands: String
    let summary: String
    var details = ""
    var options: [AnyOption] = []
    var exitCodes = [ExitCode.Meaning(.done, "done")]
  }

  let name: String
  /// Operands as help shows them.
  let operands: String
  /// One line.
  let summary: String
  var details = ""
  var verbs: [Verb] = []
  let options: [AnyOption]
  var exitCodes = [ExitCode.Meaning(.done, "done")]
  let run: @Sendable (Arguments, Console) async throws -> ExitCode

  /// Options that every command takes.
  static let common = [AnyOption(Options.help), AnyOption(Options.version)]

  /// The help page, options in the table's order; that of a verb where the first operand is one.
  func help(_ operands: [String]) -> String {
    if let verb = verbs.first(where: { $0.name == operands.first }) { return help(verb) }
    return HelpPage(
      usage: "\(name) \(self.operands)", summary: summary, details: details, verbs: verbs,
      options: options, exitCodes: exitCodes
    ).text
  }

  private func help(_ verb: Verb) -> String {
    HelpPage(
      usage: "\(name) \(verb.name) \(verb.operands)", summary: verb.summary, details: verb.details,
      options: verb.options, exitCodes: verb.exitCodes
    ).text
  }
}
