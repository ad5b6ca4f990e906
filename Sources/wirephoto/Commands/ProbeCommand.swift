import Files
import Media
import Pipeline

extension Command {
  static let probe = Command(
    name: "probe", operands: "FILE|-…",
    summary: "Tells what media files are, and whether a notification may carry them.",
    options: [
      AnyOption(Options.json), AnyOption(Options.deep), AnyOption(Options.check),
      AnyOption(Options.rules), AnyOption(Options.maxInput),
    ] + Toolbox.options,
    exitCodes: [
      .init(.done, "every input is media"),
      .init(.inputFailed, "an input is no media; with --check, is not attachable"),
    ],
    run: { try await ProbeCommand(arguments: $0, console: $1).run() })
}

private struct ProbeCommand {
  let arguments: Arguments
  let console: Console

  func run() async throws -> ExitCode {
    guard !arguments.operands.isEmpty else {
      throw UsageError("probe: needs a file, or - for stdin")
    }
    let files = arguments.operands
    let toolbox = try Toolbox(arguments, waiting: files.count > 1 ? 1 : 0)
    let prober = Prober(
      children: toolbox.children, rules: arguments[Options.rules],
      limits: Toolbox.limits(arguments), isDeep: arguments[Options.deep],
      byteLimit: arguments[Options.maxInput])
    var code = ExitCode.done
    var unavailable: String?
    await inOrder(files, width: toolbox.width * 2) { path in
      await prober.outcome(path)
    } deliver: { outcome in
      switch outcome {
      case .report(let report):
        tell(report)
        if fails(report) { code = .inputFailed }
      case .unavailable(let reason): unavailable = reason
      }
    }
    if let unavailable { throw EnvironmentError(unavailable) }
    return code
  }

  private func tell(_ report: ProbeReport) {
    if arguments[Options.json] {
      console.result(report.json.text)
    } else if report.unreadable == nil {
      console.result(report.text)
    }
    if let reason = report.unreadable { console.note("\(FileName.shown(report.path)): \(reason)") }
  }

  private func fails(_ report: ProbeReport) -> Bool {
    !report.isMedia || (arguments[Options.check] && !report.attachable)
  }
}

private enum ProbeOutcome: Sendable {
  case report(ProbeReport)
  case unavailable(String)
}

extension Prober {
  fileprivate func outcome(_ path: String) async -> ProbeOutcome {
    do throws(UnusableDecoders) {
      return .report(try await probe(path))
    } catch {
      return .unavailable(error.reason)
    }
  }
}
