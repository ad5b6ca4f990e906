import Files
import Pipeline
import SharedCache
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct JobDirectoryTests {
  /// By these names a cache and a job directory are kept apart.
  @Test("A job directory and a cache hold the folders that they name, and no others")
  func folders() throws {
    let folder = try TemporaryDirectory()
    _ = try JobDirectory.open(try folder.makeFolder("jobs"))
    #expect(try Set(folder.names(in: "jobs")) == Set(JobDirectory.folders))
    let cache = try SharedCache.open(directory: folder.path(of: "cache"))
    _ = cache.lookUp(SourceKey(url: "https://a.example/"))
    let names = try folder.names(in: "cache").filter { !$0.hasPrefix("index.sqlite") }
    #expect(Set(names) == Set(SharedCache.folders))
    #expect(Set(SharedCache.folders).isSubset(of: CacheCare.folders))
  }
}
