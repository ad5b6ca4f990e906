import Files
import Glibc
import SharedCache
import TestSupport
import Testing

@Suite("Who may use a cache", .timeLimit(.minutes(15)))
struct OwnershipTests {
  @Test func `a cache is made for its owner and group alone`() throws {
    let fixture = try CacheFixture.make()
    _ = try fixture.cache.publish(sampleBytes(1))
    #expect(try permissions(fixture.path) == 0o2770)
    for folder in ["objects", "originals", "tmp", "locks", "quarantine"] {
      #expect(try permissions("\(fixture.path)/\(folder)") == 0o2770)
    }
    for file in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
      #expect(try permissions("\(fixture.path)/\(file)") == 0o660)
    }
  }

  @Test func `another user is refused, unless the cache is set up for a group of theirs`() throws {
    // Only root may give a directory away.
    guard geteuid() == 0 else { return }
    let folder = try TemporaryDirectory()
    let path = try folder.makeFolder("cache")
    let (stranger, ours): (UInt32, gid_t) = (65_534, getegid())
    for (group, mode, isAllowed) in [
      (ours, 0o2770, true), (ours, 0o770, false), (ours, 0o2750, false), (65_534, 0o2770, false),
    ] as [(gid_t, mode_t, Bool)] {
      _ = try retryingOnInterrupt("chown") { unsafe chown(path, stranger, group) }
      _ = try retryingOnInterrupt("chmod") { unsafe chmod(path, mode) }
      if isAllowed {
        _ = try SharedCache.open(directory: path)
      } else {
        #expect(throws: CacheFailure.notOwner(directory: path, owner: stranger)) {
          _ = try SharedCache.open(directory: path)
        }
      }
    }
  }

  @Test func `a place where no cache can be is an environment at fault`() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("x", to: "file")
    for path in [file, "\(file)/cache", folder.path(of: "missing/cache")] {
      #expect { _ = try SharedCache.open(directory: path) } throws: {
        ($0 as? CacheFailure)?.isEnvironmental == true
      }
    }
  }
}
