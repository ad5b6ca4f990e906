package import Media
package import Sandbox

extension PictureChildren {
  /// Has a child of its own read one page. Pages share the slots of pictures: reading one is work
  /// for a processor too.
  package func readPage(
    _ request: PageRequest, from input: LocalInput, deadline: Deadline
  ) async throws(ChildFailure) -> PageReply {
    let result: Result<PageReply, ChildFailure>? = await slots.run(by: deadline) {
      do throws(ChildFailure) {
        return .success(
          try await supervisor.readPage(request, input: input.descriptor, deadline: deadline))
      } catch {
        return .failure(error)
      }
    }
    guard let result else { throw .timedOut }
    return try result.get()
  }

  /// Has a child of its own read a feed or sitemap; the entries are lines of the output, as
  /// `ListingEntry` writes them.
  func readListing(
    contentType: String?, from input: LocalInput, limits: ChildLimits, deadline: Deadline
  ) async throws(ChildFailure) -> (reply: PageReply, output: ChildOutput) {
    let request = PageRequest(.listing, contentType: contentType).encoded
    let result: Result<ChildResult, ChildFailure>? = await slots.run(by: deadline) {
      do throws(ChildFailure) {
        return .success(
          try await supervisor.run(
            .page, request: request, input: input.descriptor, limits: limits, deadline: deadline))
      } catch {
        return .failure(error)
      }
    }
    guard let result else { throw .timedOut }
    let answer = try result.get()
    guard let reply = try? PageReply(decoding: answer.reply) else {
      throw .protocolViolation("an answer of no known form")
    }
    return (reply, answer.output)
  }
}
