import Files
import Foundation
import Glibc
import Media
import SharedCache
import TestSupport
import Testing

@Suite("Damage", .timeLimit(.minutes(30)))
struct DamageTests {
  /// `WIREPHOTO_TEST_ROUNDS` multiplies what is tried: the nightly run has it at 30.
  static let rounds =
    ProcessInfo.processInfo.environment["WIREPHOTO_TEST_ROUNDS"].flatMap(Int.init) ?? 1

  @Test func `each flipped bit and each truncation is found, set aside, and mended by publishing`()
    throws
  {
    let fixture = try CacheFixture.make()
    var random = SplitMix(seed: 7)
    for round in 0..<UInt64(350 * Self.rounds) {
      let size = Int.random(in: 1...20_000, using: &random)
      let bytes = sampleBytes(round, count: size)
      let kind = round % 2 == 0 ? ObjectKind.object(.jpeg) : .original
      let stored = try fixture.cache.publish(bytes, as: kind)
      let path = fixture.path(of: stored.name)
      let damage = Damage.random(size: size, &random)
      try damage.apply(to: path)
      #expect(throws: CacheFailure.damaged(stored.name), "\(damage) of \(size) bytes") {
        _ = try fixture.cache.open(stored.name, now: newYear)
      }
      #expect(throws: CacheFailure.missing(stored.name)) {
        _ = try fixture.cache.open(stored.name, now: newYear)
      }
      #expect(try fixture.cache.publish(bytes, as: kind) == stored)
      #expect(try fixture.cache.bytes(of: stored.name) == bytes)
    }
    _ = try fixture.cache.sweep()
    #expect(try fixture.folder.names(in: "cache/quarantine").count <= 32)
  }

  @Test func `damage that left the time of change alone is found by another process`() throws {
    let fixture = try CacheFixture.make()
    let stored = try fixture.cache.publish(sampleBytes(1))
    try Damage.flip(bit: 4321).apply(to: fixture.path(of: stored.name))
    try Descriptor.open(fixture.path(of: stored.name), flags: O_RDONLY)
      .setModified(milliseconds: newYear)
    let outbox = try Directory(opening: try fixture.folder.makeFolder("outbox"))
    #expect(throws: CacheFailure.damaged(stored.name)) {
      _ = try fixture.reopened().link(stored.name, into: outbox, as: "x.jpg")
    }
    #expect(try fixture.folder.names(in: "outbox").isEmpty)
  }

  @Test func `publishing over a damaged object replaces it`() throws {
    let fixture = try CacheFixture.make()
    let stored = try fixture.cache.publish(sampleBytes(1))
    try Damage.truncate(to: 10).apply(to: fixture.path(of: stored.name))
    _ = try fixture.cache.publish(sampleBytes(1))
    #expect(try fixture.folder.read("cache/\(stored.name.relativePath)") == sampleBytes(1))
  }

  @Test func `verify finds what is damaged, unknown and lost`() throws {
    let fixture = try CacheFixture.make()
    let stored = try (0..<20).map { try fixture.cache.publish(sampleBytes($0)) }
    try Damage.flip(bit: 77).apply(to: fixture.path(of: stored[3].name))
    try remove(fixture.path(of: stored[5].name))
    let later = newYear + 3_600_000
    let report = try fixture.cache.verify(now: later)
    #expect(report.checked == 19)
    #expect(report.damaged == [stored[3].name])
    #expect(report.lost == 1)
    #expect(report.adopted == 0)
    #expect(try fixture.cache.statistics().objects == AreaTotal(count: 18, bytes: 18_000))
    #expect(try fixture.cache.statistics().quarantined == 1)
    #expect(try fixture.cache.verify(now: later).isClean)
  }
}

/// What a disk may do to a file.
enum Damage: Sendable {
  case flip(bit: Int)
  case truncate(to: Int)

  static func random(size: Int, _ random: inout SplitMix) -> Damage {
    Bool.random(using: &random)
      ? .flip(bit: .random(in: 0..<size * 8, using: &random))
      : .truncate(to: .random(in: 0..<size, using: &random))
  }

  func apply(to path: String) throws {
    unsafe chmod(path, 0o600)
    switch self {
    case .truncate(let size):
      _ = try retryingOnInterrupt("truncate", path: path) { unsafe Glibc.truncate(path, size) }
    case .flip(let bit):
      let file = try Descriptor.open(path, flags: O_RDWR)
      guard let byte = try file.read(at: bit / 8, count: 1).first else { return }
      lseek(file.number, bit / 8, SEEK_SET)
      try unsafe file.write([byte ^ 1 << UInt8(bit % 8)].span.bytes)
    }
  }
}
