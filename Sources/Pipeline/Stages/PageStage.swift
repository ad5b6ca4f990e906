package import Download
internal import Files
package import Media
internal import Sandbox
internal import SharedCache
internal import Synchronization

/// From a page's address to the pictures it names, its title and its publisher (contract §9).
package struct PageStage: Sendable {
  /// For pages.
  let fetch: FetchStage
  let children: PictureChildren

  /// Bytes of a page that are read, content codings undone.
  static let byteLimit = 2_000_000

  /// What reading a page may use of the time left, since its pictures come after, in per cent.
  static let shareOfTime = 40

  /// `fetch` is that of the pictures: a page is kept as long as its origin allows, and asked for once
  /// at a time, like them.
  package init(fetch: FetchStage, children: PictureChildren) {
    self.fetch = fetch.fetching(.page)
    self.children = children
  }

  /// Reads a page. What cannot be had is a problem; the contents are what could.
  package func run(_ address: WebAddress, deadline: Deadline) async -> PageContents {
    let sniffed = SniffedFormat()
    var fetch = fetch
    fetch.notesFormat = { sniffed.note($0) }
    do throws(Problem) {
      return try await contents(of: address, by: fetch, deadline: deadline)
    } catch {
      if sniffed.isPicture { return PageContents(picture: address) }
      var problem = error
      problem.stage = problem.stage == .download ? .page : problem.stage
      return PageContents(unreadable: problem)
    }
  }

  private func contents(
    of address: WebAddress, by fetch: FetchStage, deadline: Deadline
  ) async throws(Problem) -> PageContents {
    var isForced = false
    while true {
      let page = try await fetch.run(address, deadline: deadline, ignoringCache: isForced)
      if PictureChildren.family(of: page.format) != nil { return PageContents(picture: address) }
      guard let input = try await open(page) else {
        guard !isForced else {
          throw Problem(.store, .cacheCorrupt, "the page was gone twice", url: address.redacted)
        }
        isForced = true
        continue
      }
      var contents = try await read(page, input, address: address, deadline: deadline)
      contents.problems += page.problems
      return contents
    }
  }

  /// Nil where the cache has lost it.
  private func open(_ page: FetchedPicture) async throws(Problem) -> LocalInput? {
    if case .held(let input) = page.body { return input }
    do throws(CacheFailure) {
      return try await fetch.blocking.run { [cache = fetch.cache] () throws(CacheFailure) in
        try cache.input(of: page.content)
      }
    } catch .missing, .damaged {
      return nil
    } catch {
      throw error.problem()
    }
  }

  private func read(
    _ page: FetchedPicture, _ input: LocalInput, address: WebAddress, deadline: Deadline
  ) async throws(Problem) -> PageContents {
    let source = page.finalURL.flatMap { WebAddress($0) } ?? address
    let reply: PageReply
    do throws(ChildFailure) {
      reply = try await children.readPage(
        PageRequest(contentType: page.contentType), from: input, deadline: deadline)
    } catch {
      var problem = error.problem(.page)
      problem.url = source.redacted
      throw problem
    }
    guard let facts = reply.facts else {
      throw reply.problems.last
        ?? Problem(.page, .notMedia, "no page came of it", url: source.redacted)
    }
    var contents = PageContents(facts, from: source)
    contents.problems += reply.problems.map { problem in
      var problem = problem
      problem.url = source.redacted
      return problem
    }
    return contents
  }

  static func makeFile() throws(Problem) -> Descriptor {
    do throws(SystemCallFailure) {
      return try MemoryFile.create("page")
    } catch {
      throw Problem(.page, .decoderMemory, "the page could not be held: \(error)")
    }
  }

  static func seal(_ file: consuming Descriptor) throws(Problem) -> LocalInput {
    do throws(SystemCallFailure) {
      try MemoryFile.seal(file)
      return try LocalInput(adopting: file)
    } catch {
      throw Problem(.page, .decoderMemory, "the page could not be held: \(error)")
    }
  }
}

/// What the first bytes of an answer were, told beyond the transfer's end.
private final class SniffedFormat: Sendable {
  private let format = Mutex(MediaFormat.unknown)

  func note(_ sniffed: MediaFormat) {
    format.withLock { $0 = sniffed }
  }

  var isPicture: Bool { PictureChildren.family(of: format.withLock { $0 }) != nil }
}
