import Files
import Glibc
import Media
import SharedCache

/// Fetches addresses as jobs do: look up, board, look up again, download, store.
struct Fetcher: Sendable {
  let cache: SharedCache
  /// Takes one line for each download.
  let log: String

  /// Has `tasks` tasks ask for each of `keys` addresses.
  func run(keys: Int, tasks: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          for key in (0..<keys).shuffled() { try await fetch("https://a.example/\(key)") }
        }
      }
      try await group.waitForAll()
    }
    report("fetched")
  }

  private func fetch(_ url: String) async throws {
    let key = SourceKey(url: url)
    let deadline = Deadline.after(.seconds(60))
    while cache.lookUp(key) == nil {
      switch try await cache.flights.board(url, deadline: deadline) {
      case .landed: continue
      case .leading(let flight):
        if cache.lookUp(key) == nil { try await download(key) }
        flight.land()
      }
    }
  }

  private func download(_ key: SourceKey) async throws {
    let origin = try Descriptor.open(log, flags: O_WRONLY | O_APPEND | O_CREAT, mode: 0o600)
    try unsafe origin.write(Array("\(key.url)\n".utf8).span.bytes)
    try await Task.sleep(for: .milliseconds(5))
    let temporary = try cache.makeTemporary()
    try unsafe temporary.descriptor.write(Array(key.url.utf8).span.bytes)
    let stored = try cache.publish(temporary, as: .original)
    let now = WallClock.now()
    try cache.store(
      SourceRecord(
        key: key, finalURL: key.url,
        fields: ResponseFields([.init("Cache-Control", "max-age=3600")]), requestTime: now,
        responseTime: now, original: stored.name.hash, bytes: stored.bytes, format: .unknown,
        facts: []))
  }
}
