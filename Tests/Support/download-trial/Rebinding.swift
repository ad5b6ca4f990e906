import Download
import Origin
import Synchronization

/// Names that mean a public address in one answer and loopback in the next; the origin listens on
/// both and tells which one a connection was made to.
enum Rebinding {
  private static let outside: UInt32 = 0x5db8_d822  // 93.184.216.34
  private static let inside: UInt32 = 0x7f00_0001

  private struct Tally: Sendable {
    var succeeded = 0
    var refused = 0
    var other: [DownloadFailure] = []

    mutating func add(_ failure: DownloadFailure?) {
      switch failure {
      case nil: succeeded += 1
      case .addressNotAllowed: refused += 1
      case .some(let failure): other.append(failure)
      }
    }
  }

  static func run(_ count: Int) async throws {
    let origin = try OriginServer(address: "0.0.0.0", port: 80)
    let names = try NameServer { name, earlier in
      if name.hasPrefix("both") { return .addresses([inside, outside]) }
      return .addresses([earlier % 2 == 0 ? outside : inside])
    }
    var tally = Tally()
    // A downloader remembers names for a minute: a new one asks again.
    for batch in 0..<max(1, count / 100) {
      let trial = try Trial()
      await withTaskGroup(of: DownloadFailure?.self) { group in
        for number in 0..<100 {
          group.addTask { await attempt(trial, batch, number) }
        }
        for await failure in group { tally.add(failure) }
      }
    }
    print(
      "questions=\(names.questions) succeeded=\(tally.succeeded) refused=\(tally.refused)",
      "other=\(tally.other.count) outside=\(origin.connections.count { $0 == "93.184.216.34" })",
      "inside=\(origin.connections.count { $0 != "93.184.216.34" })")
    for failure in tally.other.prefix(3) { print(failure) }
  }

  /// A name that stays the same from batch to batch, and redirects to one that flips as well.
  private static func attempt(_ trial: Trial, _ batch: Int, _ number: Int) async
    -> DownloadFailure?
  {
    let first = number % 10 == 0 ? "both\(number)" : "flip\(number)"
    let url =
      number % 2 == 0
      ? "http://\(first).example/a?size=100"
      : "http://\(first).example/a?redirect=http://again\(batch).\(number).example/b?size=100"
    do {
      return try await trial.fetch(url, within: .seconds(30))
    } catch {
      return .connectFailure("\(error)")
    }
  }
}
