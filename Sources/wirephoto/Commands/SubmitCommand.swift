import Files
import Media
import Pipeline

extension Command {
  static let submit = Command(
    name: "submit", operands: "JOBS PAYLOAD…|- [--wait]",
    summary: "Puts jobs in and prints each id; with --wait, each manifest as it appears.",
    options: [AnyOption(Options.wait), AnyOption(Options.timeout)],
    exitCodes: [
      .init(.done, "done; with --wait, every notification has its picture or needs none"),
      .init(.inputFailed, "a payload was refused; with --wait, a result is text alone or expired"),
      .init(.waitTimedOut, "a manifest did not come within --timeout"),
    ],
    run: { try await SubmitCommand($0, console: $1).run() })
}

private struct SubmitCommand {
  let arguments: Arguments
  let console: Console
  let jobs: String
  let payloads: [String]

  init(_ arguments: Arguments, console: Console) throws(UsageError) {
    var arguments = arguments
    jobs = try arguments.popJobs(console)
    payloads = arguments.operands
    guard !payloads.isEmpty else {
      throw UsageError("submit: needs a payload file, or - for stdin")
    }
    self.arguments = arguments
    self.console = console
  }

  func run() async throws -> ExitCode {
    let directory = try open()
    var wait = try ManifestWait.begin(directory)
    var code = ExitCode.done
    for path in payloads {
      if let identifier = try submit(path, to: directory) {
        wait.expect(identifier)
      } else {
        code = .inputFailed
      }
    }
    return arguments[Options.wait] ? try tellManifests(&wait, code) : code
  }

  private func open() throws(EnvironmentError) -> JobDirectory {
    do throws(SystemCallFailure) {
      return try JobDirectory.open(jobs)
    } catch {
      throw EnvironmentError("job directory \(jobs): \(error)")
    }
  }

  /// Nil when the payload could not be read, or was refused.
  private func submit(
    _ path: String, to directory: JobDirectory
  ) throws(EnvironmentError) -> JobIdentifier? {
    guard let bytes = read(path) else { return nil }
    let name = path == "-" ? nil : path.split(separator: "/").last.map(String.init)
    do throws(SubmitFailure) {
      let identifier = try directory.submit(bytes, name: name)
      console.result(identifier.text)
      return identifier
    } catch {
      switch error {
      case .refused(let problem):
        console.note("\(FileName.shown(path)): \(problem.code.rawValue): \(problem.message)")
        return nil
      case .directory(let failure): throw EnvironmentError("job directory \(jobs): \(failure)")
      }
    }
  }

  private func read(_ path: String) -> [UInt8]? {
    do throws(InputFailure) {
      return try LocalInput.bytes(of: path, limit: Payload.mostBytes)
    } catch .tooLarge(let limit) {
      console.note(
        "\(FileName.shown(path)): payloadTooLarge: larger than \(ByteCount.text(limit)), the limit")
    } catch {
      console.note("\(FileName.shown(path)): \(error)")
    }
    return nil
  }

  /// Prints each manifest as it comes, one a line.
  private func tellManifests(
    _ wait: inout ManifestWait, _ code: ExitCode
  ) throws(SystemCallFailure) -> ExitCode {
    let deadline = Deadline.after(arguments[Options.timeout])
    var code = code
    while wait.isPending {
      let manifests = try wait.next(by: deadline)
      guard !manifests.isEmpty else {
        console.note("no manifest within \(arguments[Options.timeout].contractText)")
        return .waitTimedOut
      }
      for manifest in manifests {
        console.result(manifest.json.text)
        if !manifest.isGood { code = .inputFailed }
      }
    }
    return code
  }
}
