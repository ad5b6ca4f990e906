internal import Files
internal import Media
internal import Sandbox

extension PictureChildren {
  /// Runs `body` when its turn comes, and takes in what it took. It is not begun where by its estimate
  /// it would end too late, or others would. `isWhole` says of a result whether all was done that the
  /// estimate is about.
  func scheduled<Value>(
    _ subject: DecodeSubject, by deadline: Deadline, isWhole: (Value) -> Bool = { _ in true },
    _ body: () async throws(ChildFailure) -> Value
  ) async throws(ChildFailure) -> Value {
    let estimate = meter.estimate(of: subject)
    let result: Result<Value, ChildFailure>? = await slots.run(
      by: deadline, estimate, isStandIn: subject.coding == .thumbnail
    ) {
      let started = ContinuousClock.now
      do throws(ChildFailure) {
        let value = try await body()
        if isWhole(value) { meter.note(started.duration(to: .now), for: subject) }
        return .success(value)
      } catch {
        if error == .timedOut {
          meter.note(started.duration(to: .now), for: subject, isAtLeast: true)
        }
        return .failure(error)
      }
    }
    guard let result else { throw refusal(of: subject, estimate, by: deadline) }
    return try result.get()
  }

  /// Why a decode that came now would not be begun; nil where it would.
  func foreseenRefusal(of subject: DecodeSubject, by deadline: Deadline) -> ChildFailure? {
    let estimate = meter.estimate(of: subject)
    guard slots.wouldRefuse(estimate, by: deadline) else { return nil }
    return refusal(of: subject, estimate, by: deadline)
  }

  /// Why a decode that was not begun was not.
  func refusal(of subject: DecodeSubject, by deadline: Deadline) -> ChildFailure {
    refusal(of: subject, meter.estimate(of: subject), by: deadline)
  }

  private func refusal(
    of subject: DecodeSubject, _ estimate: DecodeEstimate, by deadline: Deadline
  ) -> ChildFailure {
    meter.noteRefusal(of: subject)
    return .notStarted(
      "it takes about \(estimate.usual.wholeMilliseconds) ms,"
        + " \(deadline.remaining.wholeMilliseconds) ms are left and others go before")
  }
}
