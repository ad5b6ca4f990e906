package import Files
package import Media

extension ChildSupervisor {
  /// Has one page read; the conditions are those of `run`. What the page said is the page's word:
  /// references are yet to be resolved, texts to be cleaned.
  package func readPage(
    _ request: PageRequest, input: borrowing Descriptor, deadline: Deadline
  ) async throws(ChildFailure) -> PageReply {
    let result = try await run(.page, request: request.encoded, input: input, deadline: deadline)
    guard let reply = try? PageReply(decoding: result.reply) else {
      throw .protocolViolation("an answer of no known form")
    }
    return reply
  }
}
