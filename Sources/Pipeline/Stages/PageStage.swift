package import Download
internal import Files
package import Media
internal import Sandbox
internal import Synchronization

/// From a page's address to the pictures it names, its title and its publisher (contract §9).
package struct PageStage: Sendable {
  let downloader: Downloader
  let children: PictureChildren

  /// Bytes of a page that are read, content codings undone.
  static let byteLimit = 2_000_000

  /// What reading a page may use of the time left, since its pictures come after, in per cent.
  static let shareOfTime = 40

  package init(downloader: Downloader, children: PictureChildren) {
    self.downloader = downloader
    self.children = children
  }

  /// A page as it came.
  private struct Source {
    let input: LocalInput
    let response: DownloadResponse
  }

  /// Reads a page. What cannot be had is a problem; the contents are what could.
  package func run(_ address: WebAddress, deadline: Deadline) async -> PageContents {
    do throws(Problem) {
      let file = try Self.makeFile()
      let sniffed = SniffedFormat()
      let response: DownloadResponse
      do throws(DownloadFailure) {
        response = try await downloader.fetch(
          Self.request(address, sniffed: sniffed, deadline: deadline), into: file.number)
      } catch {
        if case .refused = error, sniffed.isPicture { return PageContents(picture: address) }
        throw Self.problem(error, address)
      }
      return try await read(
        Source(input: try Self.seal(file), response: response), deadline: deadline)
    } catch {
      return PageContents(unreadable: error)
    }
  }

  private static func request(
    _ address: WebAddress, sniffed: SniffedFormat, deadline: Deadline
  ) -> DownloadRequest {
    DownloadRequest(
      address, accept: AcceptField.page, byteLimit: byteLimit, overflow: .cut, deadline: deadline,
      allowsCompression: true
    ) { prefix, contentType in
      PageSniffer.judge(sniffed.note(prefix), contentType: contentType)
    }
  }

  private func read(_ source: Source, deadline: Deadline) async throws(Problem) -> PageContents {
    let address = source.response.finalAddress
    let request = PageRequest(contentType: source.response.headers["content-type"])
    let reply: PageReply
    do throws(ChildFailure) {
      reply = try await children.readPage(request, from: source.input, deadline: deadline)
    } catch {
      var problem = error.problem(.page)
      problem.url = address.redacted
      throw problem
    }
    guard let facts = reply.facts else {
      throw reply.problems.last
        ?? Problem(.page, .notMedia, "no page came of it", url: address.redacted)
    }
    var contents = PageContents(facts, from: address)
    contents.problems += reply.problems.map { problem in
      var problem = problem
      problem.url = address.redacted
      return problem
    }
    return contents
  }

  private static func problem(_ failure: DownloadFailure, _ address: WebAddress) -> Problem {
    var problem =
      failure.problem(url: address)
      ?? Problem(.page, .deadlineExceeded, "no longer wanted", url: address.redacted)
    problem.stage = .page
    return problem
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

  func note(_ prefix: [UInt8]) -> MediaFormat {
    let sniffed = MediaFormat.sniff(prefix)
    format.withLock { $0 = sniffed }
    return sniffed
  }

  var isPicture: Bool { PictureChildren.family(of: format.withLock { $0 }) != nil }
}
