import Media
import Pipeline

extension Command {
  static let doctor = Command(
    name: "doctor", operands: "[JOBS] [--cache DIR]",
    summary: "Tells what works here: libraries, codecs, sandbox layers, directories.",
    options: [AnyOption(Options.cache), AnyOption(Options.json)] + Toolbox.options,
    exitCodes: [.init(.done, "everything works, perhaps with warnings")],
    run: { try await DoctorCommand.run($0, $1) })
}

private enum DoctorCommand {
  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    guard arguments.operands.count <= 1 else {
      throw UsageError("\(arguments.operands[1]): unexpected operand")
    }
    let jobs = arguments.operands.first ?? console.environment["WIREPHOTO_JOBS"]
    let doctor = Doctor(decoders: Toolbox.decoders(arguments, waiting: 0))
    let findings = await doctor.findings(jobs: jobs, cache: arguments[Options.cache])
    let width = findings.map(\.subject.count).max() ?? 0
    for finding in findings {
      if arguments[Options.json] {
        console.result(finding.json.text)
      } else {
        let gap = String(repeating: " ", count: width - finding.subject.count)
        console.result("\(finding.state.mark)  \(finding.subject)\(gap)  \(finding.detail)")
      }
    }
    return findings.contains { $0.state == .failed } ? .environment : .done
  }
}

extension DoctorFinding.State {
  fileprivate var mark: String {
    switch self {
    case .ok: "ok     "
    case .warning: "warning"
    case .failed: "FAILED "
    }
  }
}
