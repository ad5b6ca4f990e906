internal import Files
package import Media
package import Sandbox

extension PictureChildren {
  /// Has a picture made of any input: of a film its poster, of sound its cover, which a second child
  /// decodes.
  package func picture(
    _ request: RenderRequest, of input: LocalInput, deadline: Deadline
  ) async throws(ChildFailure) -> RenderResult {
    let result = try await run(request, on: input, deadline: deadline)
    guard result.reply.media?.displayedSize == nil, let media = result.reply.media else {
      return result
    }
    guard let cover = result.reply.cover else {
      return result.adding(
        Problem(.decode, .noPicture, "the \(media.format.rawValue) sound has no cover"))
    }
    do throws(ChildFailure) {
      return try await picture(of: cover, in: result, request, deadline: deadline)
    } catch .protocolViolation(let message) {
      return result.adding(Problem(.decode, .unsupportedFormat, message))
    }
  }

  /// Has a cover that a child found decoded by the child of its format.
  func picture(
    of cover: RenderReply.Part, in result: RenderResult, _ request: RenderRequest,
    deadline: Deadline
  ) async throws(ChildFailure) -> RenderResult {
    let picture: LocalInput
    do throws(SystemCallFailure) {
      let bytes = try result.output.bytes(cover.bytes)
      picture = try LocalInput(adopting: try MemoryFile.sealed("cover", holding: bytes))
    } catch {
      throw .unavailable("\(error)")
    }
    guard let family = Self.family(of: picture.format), family != .av else {
      throw .protocolViolation("the cover is \(picture.format.rawValue)")
    }
    return try await run(request, on: picture, deadline: deadline)
  }
}

extension RenderResult {
  fileprivate func adding(_ problem: Problem) -> RenderResult {
    var result = self
    result.reply.problems.append(problem)
    return result
  }
}
