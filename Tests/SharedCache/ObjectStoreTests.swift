import Files
import Glibc
import Media
import SharedCache
import TestSupport
import Testing

@Suite("Objects", .timeLimit(.minutes(15)))
struct ObjectStoreTests {
  /// FIPS 180-4's example: SHA-256 of "abc".
  static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  @Test func `an object is named by its SHA-256 and format, read-only, in the shard of its name`()
    throws
  {
    let fixture = try CacheFixture.make()
    let stored = try fixture.cache.publish(Array("abc".utf8))
    #expect(stored.bytes == 3)
    #expect(stored.name.relativePath == "objects/ba/\(Self.abc).jpg")
    #expect(try permissions(fixture.path(of: stored.name)) == 0o440)
    #expect(try fixture.folder.read("cache/objects/ba/\(Self.abc).jpg") == Array("abc".utf8))
    #expect(try permissions("\(fixture.path)/objects/ba") == 0o2770)
    #expect(try fixture.folder.names(in: "cache/tmp").isEmpty)
  }

  @Test func `an original lies apart from what may be served`() throws {
    let fixture = try CacheFixture.make()
    let stored = try fixture.cache.publish(Array("abc".utf8), as: .original)
    #expect(stored.name.relativePath == "originals/ba/\(Self.abc)")
    #expect(try fixture.folder.names(in: "cache/objects").isEmpty)
  }

  @Test func `publishing the same bytes again keeps the file that is there`() throws {
    let fixture = try CacheFixture.make()
    let first = try fixture.cache.publish(sampleBytes(1))
    let inode = try Descriptor.open(fixture.path(of: first.name), flags: O_RDONLY).fileStatus()
      .inode
    #expect(try fixture.cache.publish(sampleBytes(1)) == first)
    let again = try Descriptor.open(fixture.path(of: first.name), flags: O_RDONLY).fileStatus()
      .inode
    #expect(inode == again)
    #expect(try fixture.folder.names(in: "cache/tmp").isEmpty)
  }

  @Test func `what is shorter than its sender said is not published`() throws {
    let fixture = try CacheFixture.make()
    #expect(throws: CacheFailure.wrongSize(expected: 4, actual: 3)) {
      let temporary = try fixture.cache.makeTemporary()
      try unsafe temporary.descriptor.write([1 as UInt8, 2, 3].span.bytes)
      _ = try fixture.cache.publish(temporary, as: .original, expecting: 4)
    }
    #expect(try fixture.folder.names(in: "cache/tmp").isEmpty)
    #expect(try fixture.folder.names(in: "cache/originals").isEmpty)
  }

  @Test func `a range of an open file becomes an object`() throws {
    let fixture = try CacheFixture.make()
    let path = try fixture.folder.write("xxabcxx", to: "output")
    let output = try Descriptor.open(path, flags: O_RDONLY)
    let stored = try fixture.cache.publish(copying: output, range: 2..<5, as: .object(.png))
    #expect(stored.name.fileName == "\(Self.abc).png")
    #expect(throws: CacheFailure.wrongSize(expected: 9, actual: 5)) {
      _ = try fixture.cache.publish(copying: output, range: 2..<11, as: .object(.png))
    }
  }

  @Test func `a consumer's file is a second name for the object`() throws {
    let fixture = try CacheFixture.make()
    let stored = try fixture.cache.publish(sampleBytes(2))
    let outbox = try Directory(opening: try fixture.folder.makeFolder("outbox"))
    #expect(try fixture.cache.link(stored.name, into: outbox, as: "image.jpg") == .hardLink)
    #expect(try fixture.folder.read("outbox/image.jpg") == sampleBytes(2))
    try outbox.remove("image.jpg")
    #expect(try fixture.cache.bytes(of: stored.name) == sampleBytes(2))
  }

  @Test func `another file system gets a copy with the same permissions`() throws {
    guard let other = try? Directory(opening: "/dev/shm") else { return }
    let fixture = try CacheFixture.make()
    let here = try Descriptor.open(fixture.path, flags: O_RDONLY).fileStatus().device
    guard try other.descriptor.fileStatus().device != here else { return }
    let stored = try fixture.cache.publish(sampleBytes(3, count: 700_001))
    let name = "wirephoto-test-\(UInt64.random(in: .min ... .max))"
    defer { try? other.remove(name) }
    #expect(try fixture.cache.link(stored.name, into: other, as: name) == .copy)
    #expect(try FileBytes.read("/dev/shm/\(name)") == sampleBytes(3, count: 700_001))
    #expect(try permissions("/dev/shm/\(name)") == 0o440)
    #expect(throws: CacheFailure.self) {
      _ = try fixture.cache.link(stored.name, into: other, as: name)
    }
  }

  @Test func `what was never published is missing`() throws {
    let fixture = try CacheFixture.make()
    let hash = try #require(ContentHash(hex: Self.abc))
    let name = ObjectName(hash, format: .gif)
    #expect(throws: CacheFailure.missing(name)) { _ = try fixture.cache.open(name) }
  }
}
