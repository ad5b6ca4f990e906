internal import Media

extension Pipeline {
  /// The same as `run`, but the job's text where there is no draft at `limit`: no call is trusted to
  /// return in time, and a disk may take seconds to sync a picture. What is under way is left to end
  /// by itself.
  func runPunctually(_ request: Request, deadline: Deadline, limit: MovingLimit) async -> Draft {
    await FirstAnswer.by(limit, else: overtimeDraft(of: request)) {
      await run(request, deadline: deadline)
    }
  }

  /// What there is of a job whose picture was still under way when its manifest had to be published.
  private func overtimeDraft(of request: Request) -> Draft {
    var draft = lateDraft(of: request)
    draft.manifest.problems.removeAll { $0.code == .deadlineExceeded }
    draft.manifest.problems.append(
      Problem(
        .store, .deadlineExceeded, "the picture was not ready when the manifest had to be",
        severity: .warning))
    return draft
  }
}
