package import Media
package import Sandbox

extension PictureChildren {
  /// Has a child of its own read one page. Pages share the slots of pictures: reading one is work
  /// for a processor too.
  package func readPage(
    _ request: PageRequest, from input: LocalInput, deadline: Deadline
  ) async throws(ChildFailure) -> PageReply {
    let subject = DecodeSubject(.page, pixels: 0, bytes: input.byteCount)
    return try await scheduled(subject, by: deadline) { () async throws(ChildFailure) in
      try await supervisor.readPage(request, input: input.descriptor, deadline: deadline)
    }
  }

  /// Has a child of its own read a feed or sitemap; the entries are lines of the output, as
  /// `ListingEntry` writes them.
  func readListing(
    contentType: String?, from input: LocalInput, limits: ChildLimits, deadline: Deadline
  ) async throws(ChildFailure) -> (reply: PageReply, output: ChildOutput) {
    let request = PageRequest(.listing, contentType: contentType).encoded
    let subject = DecodeSubject(.page, pixels: 0, bytes: input.byteCount)
    let answer = try await scheduled(subject, by: deadline) { () async throws(ChildFailure) in
      try await supervisor.run(
        .page, request: request, input: input.descriptor, limits: limits, deadline: deadline)
    }
    guard let reply = try? PageReply(decoding: answer.reply) else {
      throw .protocolViolation("an answer of no known form")
    }
    return (reply, answer.output)
  }
}
