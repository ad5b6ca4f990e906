import Media
import SharedCache

/// Holds a flight until it is killed.
enum Holder {
  static func run(_ cache: SharedCache, key: String) async throws {
    switch try await cache.flights.board(key, deadline: .after(.seconds(10))) {
    case .leading(let flight):
      report("leading")
      try await Task.sleep(for: .seconds(600))
      flight.land()
    case .landed: report("landed")
    }
  }
}
