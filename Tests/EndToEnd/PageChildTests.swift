import Files
import Media
import Sandbox
import TestSupport
import Testing

/// The built page reader under its whole sandbox.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct PageChildTests {
  private static let supervisor = try? ChildSupervisor(
    ChildConfiguration(directories: [Project.productsFolder]))

  private func read(_ page: [UInt8], contentType: String? = nil) async throws -> PageReply {
    let supervisor = try #require(Self.supervisor)
    return try await supervisor.readPage(
      PageRequest(contentType: contentType), input: MemoryFile.sealed("page", holding: page),
      deadline: .after(.seconds(60)))
  }

  /// Every converter was loaded before lock-down: one that was not would kill the child.
  @Test(
    "A confined child reads each charset",
    arguments: [
      ("euc-kr", [0xB0, 0xA1], "가"), ("shift_jis", [0x82, 0xA0], "あ"), ("big5", [0xA4, 0xA4], "中"),
      ("euc-jp", [0xA4, 0xA2], "あ"), ("gbk", [0xB0, 0xA1], "啊"),
      ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42], "あ"),
      ("windows-1250", [0xE8], "č"), ("windows-1251", [0xDF], "Я"), ("latin1", [0x93], "“"),
      ("windows-1253", [0xE1], "α"), ("windows-1254", [0xF0], "ğ"), ("windows-1255", [0xE0], "א"),
      ("windows-1256", [0xC7], "ا"), ("windows-1257", [0xE0], "ą"), ("windows-1258", [0xF5], "ơ"),
      ("koi8-r", [0xC1], "а"), ("koi8-u", [0xA4], "є"), ("ibm866", [0x80], "А"),
      ("iso-8859-2", [0xB1], "ą"), ("iso-8859-3", [0xB1], "ħ"), ("iso-8859-4", [0xA2], "ĸ"),
      ("iso-8859-5", [0xB0], "А"), ("iso-8859-6", [0xC7], "ا"), ("iso-8859-7", [0xE1], "α"),
      ("iso-8859-8", [0xE0], "א"), ("iso-8859-10", [0xA1], "Ą"), ("iso-8859-13", [0xE0], "ą"),
      ("iso-8859-14", [0xA1], "Ḃ"), ("iso-8859-15", [0xA4], "€"), ("iso-8859-16", [0xA1], "Ą"),
      ("macintosh", [0x80], "Ä"), ("x-mac-cyrillic", [0x80], "А"), ("windows-874", [0xA1], "ก"),
      ("utf-8", [0xC3, 0xA9], "é"),
    ] as [(String, [UInt8], String)])
  func charsets(label: String, bytes: [UInt8], expected: String) async throws {
    let page = Array("<html><title>".utf8) + bytes + Array("</title>".utf8)
    let reply = try await read(page, contentType: "text/html; charset=\(label)")
    #expect(reply.facts?.title == expected)
    #expect(reply.problems == [])
  }

  @Test func `What the page names comes back whole`() async throws {
    let reference = "/" + String(repeating: "r", count: 8000)
    let page = """
      <html><head><base href="/b/"><title>T</title><meta property="og:image" content="\(reference)">
      <meta property="og:image:alt" content="\(String(repeating: "가", count: 3000))">
      <meta name="application-name" content="P"><link rel="apple-touch-icon" href="i.png">
      """
    let facts = try #require(try await read(Array(page.utf8)).facts)
    #expect(facts.baseReference == "/b/")
    #expect(facts.title == "T")
    #expect(facts.publisher == "P")
    #expect(facts.pictures.map(\.reference) == [reference, "i.png"])
    #expect(facts.pictures.map(\.place) == [.openGraph, .touchIcon])
    // Longer texts are cut at a character.
    #expect(facts.pictures[0].altText == String(repeating: "가", count: 682))
  }

  @Test(arguments: ["<div>", "</div>", "<b>", "<", "&", "<p title='"])
  func `Two million bytes of one thing end in an answer, within the child's limits`(
    part: String
  ) async throws {
    let start = "<html><title>Before</title><body>"
    let page = start + String(repeating: part, count: 2_000_000 / part.utf8.count)
    #expect(try await read(Array(page.utf8)).facts?.title == "Before")
  }

  @Test func `What is no page is said to be none`() async throws {
    for bytes in [[], Array("words".utf8), [0xFF, 0xD8, 0xFF, 0xE0], [0, 0, 0]] as [[UInt8]] {
      let reply = try await read(bytes)
      #expect(reply.facts == nil)
      #expect(reply.problems.map(\.code) == [.notMedia])
    }
  }
}
