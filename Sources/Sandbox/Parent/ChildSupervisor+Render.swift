package import Files
package import Media

/// A checked answer to a picture request.
package struct RenderResult: Sendable {
  /// Every rendition lies in the output, fits its box and bears its format's signature.
  package var reply: RenderReply
  package let output: ChildOutput
  package let usage: ChildUsage
}

extension ChildSupervisor {
  /// Has one picture probed or rendered; the conditions are those of `run`.
  package func render(
    _ request: RenderRequest, family: ChildFamily, input: borrowing Descriptor,
    limits: ChildLimits? = nil, deadline: Deadline
  ) async throws(ChildFailure) -> RenderResult {
    let result = try await run(
      family, request: request.encoded, input: input, limits: limits, deadline: deadline)
    guard let reply = try? RenderReply(decoding: result.reply) else {
      throw .protocolViolation("an answer of no known form")
    }
    try reply.check(against: request, output: result.output.descriptor)
    return RenderResult(reply: reply, output: result.output, usage: result.usage)
  }
}
