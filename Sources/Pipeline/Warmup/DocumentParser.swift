internal import Download
internal import Files
internal import Media
internal import Sandbox

/// From bytes to the addresses in them. HTML and XML are read by a confined child.
struct DocumentParser: Sendable {
  let children: PictureChildren

  /// What a child may use for a listing of the largest size.
  private static let limits = ChildLimits(
    addressSpace: 256 << 20, cpuSeconds: 20, outputBytes: 64 << 20)
  private static let mostTextBytes = 8 << 20

  /// The form, and the body as a `WarmDocument` has it. `base` is where the bytes came from; nil for
  /// a file.
  func parse(
    _ input: LocalInput, contentType: String?, base: WebAddress?, deadline: Deadline
  ) async throws(Problem) -> (DocumentForm, [UInt8]) {
    let head = try Self.read(input, count: DocumentForm.headLength)
    let form = DocumentForm(head: head) ?? (Self.claimsPage(contentType) ? .page : nil)
    switch form {
    case .page:
      guard let base else {
        throw Problem(.page, .notMedia, "a page in a file has no address to resolve against")
      }
      return (.page, try await page(input, contentType, base, deadline))
    case .listing: return (.listing, try await listing(input, contentType, base, deadline))
    case .addresses: return (.addresses, try Self.read(input, count: Self.mostTextBytes))
    case .payload:
      guard input.byteCount <= Payload.mostBytes else {
        throw Payload.tooLarge(bytes: input.byteCount)
      }
      return (.payload, try Self.read(input, count: Payload.mostBytes))
    case nil:
      throw Problem(
        .page, .notMedia, "neither a page, feed, sitemap, list of addresses nor payload",
        url: base?.redacted)
    }
  }

  private static func claimsPage(_ contentType: String?) -> Bool {
    contentType.map { $0.lowercased().contains("html") } ?? false
  }

  private func page(
    _ input: LocalInput, _ contentType: String?, _ base: WebAddress, _ deadline: Deadline
  ) async throws(Problem) -> [UInt8] {
    let reply: PageReply
    do throws(ChildFailure) {
      reply = try await children.readPage(
        PageRequest(contentType: contentType), from: input, deadline: deadline)
    } catch {
      throw Self.problem(error, base)
    }
    guard let facts = reply.facts else { throw Self.problem(of: reply, base) }
    return PageContents(facts, from: base).warmBody
  }

  private func listing(
    _ input: LocalInput, _ contentType: String?, _ base: WebAddress?, _ deadline: Deadline
  ) async throws(Problem) -> [UInt8] {
    let result: (reply: PageReply, output: ChildOutput)
    do throws(ChildFailure) {
      result = try await children.readListing(
        contentType: contentType, from: input, limits: Self.limits, deadline: deadline)
    } catch {
      throw Self.problem(error, base)
    }
    guard result.reply.listing != nil else { throw Self.problem(of: result.reply, base) }
    do throws(SystemCallFailure) {
      return try result.output.bytes(0..<(try result.output.size()))
    } catch {
      throw Problem(.page, .decoderMemory, "the list could not be read: \(error)")
    }
  }

  private static func problem(_ failure: ChildFailure, _ base: WebAddress?) -> Problem {
    var problem = failure.problem(.page)
    problem.url = base?.redacted
    return problem
  }

  private static func problem(of reply: PageReply, _ base: WebAddress?) -> Problem {
    var problem = reply.problems.last ?? Problem(.page, .notMedia, "nothing came of it")
    problem.url = base?.redacted
    return problem
  }

  private static func read(_ input: LocalInput, count: Int) throws(Problem) -> [UInt8] {
    do throws(SystemCallFailure) {
      return try input.descriptor.read(at: 0, count: min(count, input.byteCount))
    } catch {
      throw Problem(.page, .decoderMemory, "the document could not be read: \(error)")
    }
  }
}
