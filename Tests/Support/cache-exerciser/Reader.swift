import Files
import SharedCache

/// Opens what others publish, by file and by address, and checks it once more by itself.
struct Reader {
  let cache: SharedCache
  /// How many write, under seeds from 0 on.
  let writers: Int
  private var (reads, found, gone, torn, wrong) = (0, 0, 0, 0, 0)
  /// The last number found of each writer.
  private var latest: [Int]

  init(cache: SharedCache, writers: Int) {
    self.cache = cache
    self.writers = writers
    latest = [Int](repeating: 1, count: writers)
  }

  mutating func run(seconds: Int) throws {
    let end = ContinuousClock.now.advanced(by: .seconds(seconds))
    while ContinuousClock.now < end {
      for name in try Self.names(in: cache) where ContinuousClock.now < end {
        let bytes = try read(name)
        if let bytes, unsafe ContentHash.of(bytes.span.bytes) != name.hash { torn += 1 }
        for writer in 0..<writers { try lookUp(writer) }
      }
      // Before the first is written.
      for writer in 0..<writers { try lookUp(writer) }
    }
    report("read \(reads) found \(found) gone \(gone) torn \(torn) wrong \(wrong)")
  }

  /// Asks for an address that a writer may lately have written, and compares what it gives.
  private mutating func lookUp(_ writer: Int) throws {
    let number = max(1, Int.random(in: latest[writer] - 100...latest[writer] + 30))
    let url = Publisher.url(writer: writer, number: number)
    guard let original = ContentHash.of(url) else { throw WrongUsage() }
    let record = cache.lookUp(SourceKey(url: url))
    let rendition = cache.renditions(of: original, keys: ["4x3"])["4x3"]
    guard let name = record.map({ ObjectName(original: $0.original) }) ?? rendition?.object,
      let bytes = try read(name)
    else { return }
    found += 1
    latest[writer] = max(latest[writer], number)
    if bytes != Publisher.bytes(writer: writer, number: number) { wrong += 1 }
  }

  /// Nil where it has been evicted.
  private mutating func read(_ name: ObjectName) throws -> [UInt8]? {
    do throws(CacheFailure) {
      let bytes = try Self.contents(try cache.open(name))
      reads += 1
      return bytes
    } catch {
      switch error {
      case .missing: gone += 1
      case .damaged: torn += 1
      default: throw error
      }
      return nil
    }
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
