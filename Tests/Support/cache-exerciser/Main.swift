import Files
import Glibc
import Media
import SharedCache

/// Uses a cache from a process of its own, to be watched, raced and killed by tests.
///
///     cache-exerciser hold CACHE KEY                  takes a flight and keeps it
///     cache-exerciser publish CACHE FILE              publishes one file and all that is known of it
///     cache-exerciser publish-many CACHE SEED         publishes without end, a name a line
///     cache-exerciser fetch CACHE LOG KEYS TASKS      fetches addresses; each download adds a line
///     cache-exerciser write CACHE SEED START SECONDS MAXBYTES     publishes under a size limit
///     cache-exerciser read CACHE SECONDS WRITERS      opens what others publish; reports what is wrong
///     cache-exerciser evict CACHE START SECONDS MAXBYTES          evicts again and again
///     cache-exerciser store CACHE COUNT               stores pictures with all their rows
///     cache-exerciser time CACHE COUNT                times the use of the stored ones
///     cache-exerciser cost CACHE                      times evictions, publications and a first hit
@main
enum Main {
  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      print("failed \(error)")
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) async throws {
    func argument(_ index: Int) throws(WrongUsage) -> String {
      guard arguments.indices.contains(index) else { throw WrongUsage() }
      return arguments[index]
    }
    func number(_ index: Int) throws(WrongUsage) -> Int {
      guard let number = Int(try argument(index)) else { throw WrongUsage() }
      return number
    }
    let directory = try argument(1)
    switch try argument(0) {
    case "hold": try await Holder.run(try .open(directory: directory), key: argument(2))
    case "publish": try Publisher.publish(try argument(2), in: try .open(directory: directory))
    case "publish-many":
      try Publisher.publishMany(try .open(directory: directory), seed: try number(2))
    case "fetch":
      let cache = try SharedCache.open(directory: directory)
      try await Fetcher(cache: cache, log: try argument(2)).run(
        keys: try number(3), tasks: try number(4))
    case "write":
      let limits = CacheLimits(maxBytes: try number(5), minFree: 0)
      let cache = try SharedCache.open(directory: directory, limits: limits)
      try Publisher.write(
        cache, seed: try number(2), start: Int64(try number(3)), seconds: try number(4))
    case "read":
      var reader = Reader(cache: try .open(directory: directory), writers: try number(3))
      try reader.run(seconds: try number(2))
    case "evict":
      let limits = CacheLimits(maxBytes: try number(4), minFree: 0)
      try await Publisher.evict(
        try .open(directory: directory, limits: limits), start: Int64(try number(2)),
        seconds: try number(3))
    case "store": try Timing(cache: .open(directory: directory)).store(try number(2))
    case "time": try await Timing(cache: .open(directory: directory)).measure(try number(2))
    case "cost": try Cost.measure(directory)
    default: throw WrongUsage()
    }
  }
}

struct WrongUsage: Error {}

/// Lines that a parent sees at once.
func report(_ line: String) {
  print(line)
  fflush(nil)
}

/// Milliseconds since 1970 on a clock that runs two thousand times too fast, so that a minute passes
/// in 30 ms; `start` is when all processes began.
func fastClock(since start: Int64) -> Int64 {
  start + (WallClock.now() - start) * 2000
}
