import Download
import Files
import Media
import Origin

/// A fetch from loopback into a file in memory, as the tests need it.
struct Fetch {
  struct Outcome {
    var response: Result<DownloadResponse, DownloadFailure>
    /// What is in the destination afterwards.
    var bytes: [UInt8]

    var failure: DownloadFailure? {
      if case .failure(let failure) = response { return failure }
      return nil
    }
  }

  let origin: OriginServer
  let downloader: Downloader

  /// Loopback is allowed unless other options are given.
  init(_ origin: OriginServer, _ options: DownloadOptions? = nil) throws(SystemCallFailure) {
    self.origin = origin
    downloader = try Downloader(options ?? Self.options())
  }

  static func options(allowing blocks: [String] = ["127.0.0.0/8"]) -> DownloadOptions {
    DownloadOptions(
      userAgent: DownloadOptions.userAgent(version: "1.0", about: "https://example.org"),
      policy: AddressPolicy(allowing: blocks.compactMap { AddressBlock($0) }))
  }

  /// Fetches a path of the origin, or another address when it starts with a scheme.
  func run(
    _ path: String, within time: Duration = .seconds(20),
    _ adjust: (inout DownloadRequest) -> Void = { _ in }
  ) async throws -> Outcome {
    let text = path.hasPrefix("/") ? origin.url(path) : path
    guard let address = WebAddress(text) else { throw DownloadFailure.unsupportedURL(text) }
    var request = DownloadRequest(address, deadline: .after(time))
    adjust(&request)
    let file = try MemoryFile.create("body")
    let response: Result<DownloadResponse, DownloadFailure>
    do throws(DownloadFailure) {
      response = .success(try await downloader.fetch(request, into: file.number))
    } catch {
      response = .failure(error)
    }
    let bytes = try file.read(at: 0, count: try file.size())
    return Outcome(response: response, bytes: bytes)
  }
}
