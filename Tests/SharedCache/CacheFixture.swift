import Files
import Glibc
import Media
import SharedCache
import TestSupport

/// An instant on which the tests agree: 2026-01-01T00:00:00Z, milliseconds since 1970.
let newYear: Int64 = 1_767_225_600_000

/// A cache in a directory of its own.
struct CacheFixture: ~Copyable {
  let folder: TemporaryDirectory
  let cache: SharedCache

  static func make() throws -> CacheFixture {
    let folder = try TemporaryDirectory()
    let cache = try SharedCache.open(directory: folder.path(of: "cache"))
    return CacheFixture(folder: folder, cache: cache)
  }

  var path: String { cache.directory }

  /// A second connection, as another process would have it.
  func reopened() throws -> SharedCache { try SharedCache.open(directory: path) }

  func path(of name: ObjectName) -> String { "\(path)/\(name.relativePath)" }
}

extension SharedCache {
  /// Publishes bytes as a JPEG.
  func publish(
    _ bytes: [UInt8], as kind: ObjectKind = .object(.jpeg), now: Int64 = newYear
  ) throws -> StoredObject {
    let temporary = try makeTemporary()
    try unsafe temporary.descriptor.write(bytes.span.bytes)
    return try publish(temporary, as: kind, expecting: bytes.count, now: now)
  }

  func bytes(of name: ObjectName) throws -> [UInt8] {
    try open(name, now: newYear).readToEnd(limit: 100_000_000) ?? []
  }
}

func permissions(_ path: String) throws -> mode_t {
  try Descriptor.open(path, flags: O_RDONLY).fileStatus().permissions
}

/// Bytes that no two seeds share.
func sampleBytes(_ seed: UInt64, count: Int = 1000) -> [UInt8] {
  var generator = SplitMix(seed: seed)
  return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}

/// Repeatable random numbers (Steele, Lea, Flood: SplitMix64).
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

/// Removes a file's name behind the cache's back.
func remove(_ path: String) throws {
  _ = try retryingOnInterrupt("unlink", path: path) { unsafe unlink(path) }
}
