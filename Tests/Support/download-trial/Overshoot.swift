import Download
import Media

/// How far past its deadline a transfer that never ends comes back.
enum Overshoot {
  static func run(_ urls: [String], authority: String) async throws {
    var options = DownloadOptions(
      userAgent: "download-trial",
      policy: AddressPolicy(allowing: [AddressBlock("127.0.0.0/8")].compactMap { $0 }))
    options.authorityFile = authority == "-" ? nil : authority
    let trial = try Trial(options)
    let limit = Duration.seconds(1)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for url in urls {
        group.addTask {
          let clock = ContinuousClock()
          let start = clock.now
          let failure = try await trial.fetch(url, within: limit)
          let late = clock.now - start - limit
          print(url, failure.map { "\($0)" } ?? "arrived", "late by", late)
        }
      }
      try await group.waitForAll()
    }
  }
}
