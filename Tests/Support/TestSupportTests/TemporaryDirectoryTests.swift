import Glibc
import TestSupport
import Testing

@Suite struct TemporaryDirectoryTests {
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
}
