import Download
import Files
import Glibc
import Media

/// What 64 transfers in flight cost in memory.
enum MemoryTrial {
  static func run(_ url: String, authority: String?) async throws {
    var options = DownloadOptions(
      userAgent: "download-trial",
      policy: AddressPolicy(allowing: [AddressBlock("127.0.0.0/8")].compactMap { $0 }))
    options.maximumPerHost = 64
    options.authorityFile = authority
    let trial = try Trial(options)
    print("idle kB:", resident())
    _ = try await trial.fetch(url, within: .seconds(20))
    print("after one kB:", resident())
    try await withThrowingTaskGroup(of: DownloadFailure?.self) { group in
      for number in 0..<64 {
        group.addTask { try await trial.fetch("\(url)&n=\(number)", within: .seconds(4)) }
      }
      try await Task.sleep(for: .seconds(3))
      print("in flight kB:", resident())
      var outcomes: [String: Int] = [:]
      for try await failure in group {
        outcomes[failure.map { "\($0)" } ?? "arrived", default: 0] += 1
      }
      print(outcomes)
    }
    print("afterwards kB:", resident(), "peak:", field("VmHWM"))
  }

  private static func resident() -> String { field("RssAnon") }

  private static func field(_ name: String) -> String {
    guard let file = try? Descriptor.open("/proc/self/status", flags: O_RDONLY),
      let bytes = try? file.readToEnd(limit: 100_000)
    else { return "?" }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return lines.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count + 1)) } ?? "?"
  }
}
