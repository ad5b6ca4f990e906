import Files
import Glibc
import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct TemporaryDirectoryTests {
  @Test func `It goes with all it holds`() throws {
    let path = try fillOne()
    #expect(unsafe access(path, F_OK) == -1)
  }

  private func fillOne() throws -> String {
    let directory = try TemporaryDirectory()
    try directory.makeFolder("a/b")
    try directory.write("text", to: "a/b/c")
    #expect(try directory.read("a/b/c") == Array("text".utf8))
    #expect(try directory.names(in: "a") == ["b"])
    return directory.path
  }

  @Test func `Two are different`() throws {
    let (one, other) = (try path(), try path())
    #expect(one != other)
  }

  private func path() throws -> String { try TemporaryDirectory().path }

  @Test func `What a killed process left goes, what the living hold and what is young stays`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let left = try folder.makeFolder("\(TemporaryDirectory.prefix)000000/a")
    let other = try folder.makeFolder("another")
    // Holds its directory as an owner does, and is killed.
    let held = try folder.makeFolder("\(TemporaryDirectory.prefix)111111")
    try folder.write("", to: "\(TemporaryDirectory.prefix)111111/file")
    let owner = try Command.tool("flock", ["--no-fork", held, "sleep", "600"]).start()
    while try !isHeld(held) { try await Task.sleep(for: .milliseconds(10)) }

    TemporaryDirectory.removeOrphans(in: folder.path)
    #expect(unsafe access(left, F_OK) == 0, "young")
    TemporaryDirectory.removeOrphans(in: folder.path, olderThan: 0)
    #expect(unsafe access(left, F_OK) == -1)
    #expect(unsafe access(held, F_OK) == 0 && access(other, F_OK) == 0)
    owner.send(SIGKILL)
    _ = try await owner.finish(by: .after(.seconds(60)))
    TemporaryDirectory.removeOrphans(in: folder.path, olderThan: 0)
    #expect(unsafe access(held, F_OK) == -1 && access(other, F_OK) == 0)
  }

  private func isHeld(_ path: String) throws -> Bool {
    try !Descriptor.open(path, flags: O_RDONLY).tryLock()
  }
}
