import Download
import Files
import Glibc
import Media
import Origin

/// Downloads under conditions that a test process cannot make for itself: a name server on port 53
/// and an origin on port 80 of a network namespace, or a process whose memory is its own.
@main
struct Program {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("rebinding", 2): try await Rebinding.run(Int(arguments[1]) ?? 0)
    case ("silence", 1): try await Silence.run()
    case ("memory", 2...3):
      try await MemoryTrial.run(arguments[1], authority: arguments.dropFirst(2).first)
    case ("overshoot", 3...):
      try await Overshoot.run(Array(arguments.dropFirst(2)), authority: arguments[1])
    default:
      print(
        """
        usage: download-trial rebinding COUNT | silence | memory URL [AUTHORITY]
               download-trial overshoot AUTHORITY|- URL…
        """)
      exit(2)
    }
  }
}

/// One fetch into a file in memory.
struct Trial {
  let downloader: Downloader

  init(_ options: DownloadOptions = DownloadOptions(userAgent: "download-trial")) throws {
    downloader = try Downloader(options)
  }

  func fetch(_ url: String, within time: Duration) async throws -> DownloadFailure? {
    guard let address = WebAddress(url) else { return .unsupportedURL(url) }
    let file = try MemoryFile.create("body")
    do throws(DownloadFailure) {
      _ = try await downloader.fetch(
        DownloadRequest(address, deadline: .after(time)), into: file.number)
      return nil
    } catch {
      return error
    }
  }
}
