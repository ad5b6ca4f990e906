import Files
import Foundation
import Glibc
import Media
import SharedCache
import TestSupport
import Testing

/// What people do to a cache that is in use.
@Suite("A cache under someone's hands", .timeLimit(.minutes(15)))
struct RemovalTests {
  @Test(arguments: ["", "/tmp", "/locks", "/objects", "/originals", "/index.sqlite", "/quarantine"])
  func `what was removed under an open cache is made anew`(part: String) async throws {
    let fixture = try CacheFixture.make()
    let cache = fixture.cache
    let record = try SourceTests.record("https://a.example/x")
    _ = try cache.publish(sampleBytes(1))
    try cache.store(record, now: newYear)
    try FileManager.default.removeItem(atPath: fixture.path + part)

    #expect(try await SingleFlightTests.leads(cache.flights, "key", within: .seconds(10)))
    let stored = try cache.publish(sampleBytes(2))
    #expect(try cache.bytes(of: stored.name) == sampleBytes(2))
    #expect(try fixture.folder.read("cache/\(stored.name.relativePath)") == sampleBytes(2))
    try await Self.eventually { (try? cache.store(record, now: newYear)) != nil }
    #expect(try fixture.reopened().lookUp(record.key, now: newYear) == record)
    #expect(try cache.evict() != nil)
    #expect(try cache.verify().damaged.isEmpty)
  }

  @Test(arguments: ["nothing", "an empty directory", "another cache", "a link to another cache"])
  func `a cache moved away is noticed, and left as it is`(place: String) async throws {
    let fixture = try CacheFixture.make()
    let cache = fixture.cache
    let record = try SourceTests.record("https://a.example/x")
    let stored = try cache.publish(sampleBytes(1))
    try cache.store(record, now: newYear)
    let other = try CacheFixture.make()
    let theirs = try SourceTests.record("https://a.example/theirs")
    try other.cache.store(theirs, now: newYear)
    let aside = fixture.folder.path(of: "aside")
    try FileManager.default.moveItem(atPath: fixture.path, toPath: aside)
    switch place {
    case "an empty directory": try fixture.folder.makeFolder("cache")
    case "another cache":
      try FileManager.default.moveItem(atPath: other.path, toPath: fixture.path)
    case "a link to another cache": #expect(unsafe symlink(other.path, fixture.path) == 0)
    default: break
    }
    let before = try Self.files(in: aside)

    #expect(cache.lookUp(record.key, now: newYear) == nil)
    #expect((cache.lookUp(theirs.key, now: newYear) != nil) == place.hasSuffix("another cache"))
    #expect(throws: CacheFailure.missing(stored.name)) { _ = try cache.open(stored.name) }
    #expect(try await SingleFlightTests.leads(cache.flights, "key", within: .seconds(10)))
    let new = try cache.publish(sampleBytes(2))
    #expect(try fixture.folder.read("cache/\(new.name.relativePath)") == sampleBytes(2))
    try await Self.eventually { (try? cache.store(record, now: newYear)) != nil }
    #expect(try fixture.reopened().lookUp(record.key, now: newYear) == record)
    #expect(try cache.evict() != nil)
    #expect(try Self.files(in: aside) == before)
    // Put back, it is the cache again.
    try FileManager.default.removeItem(atPath: fixture.path)
    try FileManager.default.moveItem(atPath: aside, toPath: fixture.path)
    #expect(cache.lookUp(record.key, now: newYear) == record)
    #expect(try cache.bytes(of: stored.name) == sampleBytes(1))
  }

  /// Names and lengths, but for SQLite's own log.
  private static func files(in folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
      !$0.hasPrefix("index.sqlite")
    }.sorted()
  }

  @Test(arguments: ["link", "directory", "socket", "pipe", "unreadable"])
  func `what is no file in an object's place is set aside`(kind: String) throws {
    let fixture = try CacheFixture.make()
    let cache = fixture.cache
    for objectKind in [ObjectKind.object(.jpeg), .original] {
      let bytes = sampleBytes(3)
      let stored = try cache.publish(bytes, as: objectKind)
      try Self.replace(fixture.path(of: stored.name), by: kind, bytes, fixture.folder)
      // Root reads what nobody may.
      if kind == "unreadable", geteuid() == 0 { return }
      #expect(throws: CacheFailure.damaged(stored.name)) { _ = try cache.open(stored.name) }
      #expect(throws: CacheFailure.missing(stored.name)) { _ = try cache.open(stored.name) }
      #expect(try cache.publish(bytes, as: objectKind) == stored)
      #expect(try cache.bytes(of: stored.name) == bytes)
      _ = try cache.sweep()
    }
  }

  @Test(arguments: ["link", "directory", "pipe"])
  func `what is no directory in a shard's place is set aside`(kind: String) throws {
    let fixture = try CacheFixture.make()
    let stored = try fixture.cache.publish(sampleBytes(4))
    let shard = "\(fixture.path)/objects/\(stored.name.shard)"
    try FileManager.default.removeItem(atPath: shard)
    try Self.replace(shard, by: kind == "directory" ? "file" : kind, [], fixture.folder)
    #expect(try fixture.cache.publish(sampleBytes(4)) == stored)
    #expect(try fixture.cache.bytes(of: stored.name) == sampleBytes(4))
  }

  private static func replace(
    _ path: String, by kind: String, _ bytes: [UInt8], _ folder: borrowing TemporaryDirectory
  ) throws {
    try? FileManager.default.removeItem(atPath: path)
    switch kind {
    case "link":
      // To a place with the right bytes: it could change at any time.
      let target = try folder.write(bytes, to: "elsewhere")
      #expect(unsafe symlink(target, path) == 0)
    case "directory": #expect(unsafe mkdir(path, 0o755) == 0)
    case "pipe": #expect(unsafe mkfifo(path, 0o600) == 0)
    case "unreadable":
      try Data(bytes).write(to: URL(filePath: path))
      #expect(unsafe chmod(path, 0) == 0)
    case "socket":
      // Bound from inside its directory: a socket's path is short.
      let script = """
        import os, socket, sys
        os.chdir(os.path.dirname(sys.argv[1]))
        socket.socket(socket.AF_UNIX).bind(os.path.basename(sys.argv[1]))
        """
      let python = Process()
      python.executableURL = URL(filePath: "/usr/bin/python3")
      python.arguments = ["-c", script, path]
      try python.run()
      python.waitUntilExit()
      #expect(python.terminationStatus == 0)
    default: try Data(bytes).write(to: URL(filePath: path))
    }
  }

  private static func eventually(_ isSo: () -> Bool) async throws {
    let limit = Deadline.after(.seconds(20))
    while !isSo(), !limit.hasPassed { try await Task.sleep(for: .milliseconds(20)) }
  }
}
