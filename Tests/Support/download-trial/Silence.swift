import Download
import Media
import Origin
import Synchronization

/// A name server that says nothing about some names, while other transfers go on.
enum Silence {
  static func run() async throws {
    let origin = try OriginServer(address: "0.0.0.0", port: 80)
    let names = try NameServer { name, _ in
      name.hasPrefix("silent") ? .silence : .addresses([0x5db8_d822])
    }
    let trial = try Trial()
    let ended = Counter()
    async let silent = askSilent(trial, ended)
    while names.questions < 8 { try await Task.sleep(for: .milliseconds(5)) }
    let quick = try await askQuick(trial)
    let early = ended.value
    for line in try await silent { print(line) }
    print("quick=\(quick) early=\(early)")
    withExtendedLifetime(origin) {}
  }

  private static func askSilent(_ trial: Trial, _ ended: Counter) async throws -> [String] {
    try await withThrowingTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          let clock = ContinuousClock()
          let start = clock.now
          let failure = try await trial.fetch(
            "http://silent\(number).example/", within: .seconds(5))
          let time = (clock.now - start).millisecondsRoundedUp
          ended.increment()
          return "silent \(failure.map { "\($0)" } ?? "none") milliseconds=\(time)"
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// How many succeed.
  private static func askQuick(_ trial: Trial) async throws -> Int {
    try await withThrowingTaskGroup { group in
      for number in 0..<20 {
        group.addTask {
          try await trial.fetch("http://quick\(number).example/", within: .seconds(20)) == nil
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
  }
}

private final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func increment() {
    count.add(1, ordering: .relaxed)
  }
}
