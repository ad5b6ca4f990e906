internal import Media

extension Pipeline {
  /// The same as `run`, but the job's text where there is no draft at `limit`: no call is trusted to
  /// return in time, and a disk may take seconds to sync a picture. What is under way is left to end
  /// by itself.
  func runPunctually(_ request: Request, deadline: Deadline, limit: Deadline) async -> Draft {
    await FirstAnswer.by(limit, else: Draft(overtimeTextOf: request)) {
      await run(request, deadline: deadline)
    }
  }
}

extension Pipeline.Draft {
  /// The text of a job whose picture was still under way when its manifest had to be published.
  fileprivate init(overtimeTextOf request: Pipeline.Request) {
    self.init(lateTextOf: request)
    manifest.problems.removeAll { $0.code == .deadlineExceeded }
    manifest.problems.append(
      Problem(
        .store, .deadlineExceeded, "the picture was not ready when the manifest had to be",
        severity: .warning))
  }
}
