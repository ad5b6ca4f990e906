internal import Media
internal import Sandbox

/// Why a picture itself gave nothing.
struct Undecoded: Error {
  var problem: Problem
  /// Whether it was for want of time alone, and says nothing of its bytes.
  var wasForTime = false
}

extension ChildFailure {
  /// Whether with a later end than `deadline` there might be a picture.
  func wasForTime(by deadline: Deadline) -> Bool {
    switch self {
    case .notStarted: true
    // Else it has used up its processor time.
    case .timedOut: deadline.hasPassed
    default: false
    }
  }
}

extension RenderStage {
  /// The thumbnail that a file carries, by a child that does not decode the picture itself, which
  /// took too long or ended its decoder.
  func embedded(
    in input: LocalInput, of picture: FetchedPicture, _ profiles: [RenditionProfile],
    deadline: Deadline, insteadOf undecoded: Undecoded
  ) async throws(RenderFault) -> RenderResult {
    guard input.format.mayCarryThumbnail, input.outline?.mayHoldThumbnail ?? true,
      !deadline.hasPassed
    else { throw .problem(undecoded.problem) }
    var request = recipe.request(for: profiles)
    request.embedded = .always
    var result: RenderResult?
    if undecoded.wasForTime, picture.shortfall == nil {
      result = await compared(request, in: input, of: picture, deadline: deadline)
    }
    if result == nil {
      result = try? await children.runAgainIfKilled(request, on: input, deadline: deadline)
    }
    guard let result, result.reply.renditions.count == profiles.count else {
      throw .problem(undecoded.problem.adding(result?.reply.whyNotShown))
    }
    return result
  }

  /// The same after a look at some of the picture, where there is time for that: as good as the picture
  /// where it shows the same, and nothing where it shows something else. Nil where there was no time,
  /// or the look ended its child.
  private func compared(
    _ request: RenderRequest, in input: LocalInput, of picture: FetchedPicture, deadline: Deadline
  ) async -> RenderResult? {
    // What is left after it is for the thumbnail alone.
    let end = deadline.reserving(deadline.remaining / PictureChildren.comparisonShare)
    var request = request
    request.comparison = children.comparisonTime(request, on: input, by: end)
    guard request.comparison != nil else { return nil }
    do throws(ChildFailure) {
      return try await children.run(request, on: input, deadline: end)
    } catch {
      await remember(error, of: picture)
      return nil
    }
  }
}

extension RenderReply {
  /// What a thumbnail is worth that stands for a picture; nil for one that only is one.
  var standing: String? {
    extent == .hurried ? "the thumbnail in the file shows the same and stands for it" : nil
  }

  /// What was found wrong with a thumbnail.
  fileprivate var whyNotShown: String? { problems.first { $0.code == .noPicture }?.message }
}

extension Problem {
  /// The same told to its end.
  func adding(_ further: String?) -> Problem {
    guard let further else { return self }
    var problem = self
    problem.message += "; \(further)"
    return problem
  }
}
