import Files
import SharedCache

/// Opens what others publish, and hashes it once more by itself.
enum Reader {
  static func run(_ cache: SharedCache, seconds: Int) throws {
    let end = ContinuousClock.now.advanced(by: .seconds(seconds))
    var (reads, gone, torn) = (0, 0, 0)
    while ContinuousClock.now < end {
      for name in try names(in: cache) where ContinuousClock.now < end {
        do throws(CacheFailure) {
          let bytes = try contents(try cache.open(name))
          if unsafe ContentHash.of(bytes.span.bytes) != name.hash { torn += 1 }
          reads += 1
        } catch {
          switch error {
          case .missing: gone += 1
          case .damaged: torn += 1
          default: throw error
          }
        }
      }
    }
    report("read \(reads) gone \(gone) torn \(torn)")
  }

  private static func contents(_ file: borrowing Descriptor) throws(CacheFailure) -> [UInt8] {
    do {
      return try file.readToEnd(limit: 1_000_000) ?? []
    } catch {
      throw CacheFailure(error)
    }
  }

  private static func names(in cache: SharedCache) throws(SystemCallFailure) -> [ObjectName] {
    var names: [ObjectName] = []
    let area = try Directory(opening: "\(cache.directory)/objects")
    var shards: [String] = []
    try area.forEachName {
      shards.append($0)
      return true
    }
    for shard in shards.shuffled().prefix(16) {
      try area.subdirectory(shard).forEachName {
        if let name = ObjectName(fileName: $0, area: .objects) { names.append(name) }
        return true
      }
    }
    return names
  }
}
