import TestSupport
import Testing

/// What the built programs load when they start: the process boundary as the linker sees it.
@Suite(.timeLimit(.minutes(15))) struct LinkageTests {
  static let still = ["libpng", "libjpeg", "libgif", "libwebp", "liblcms2", "libimagequant"]
  static let heif = ["libheif", "libde265", "libdav1d", "libaom", "libx265"]
  static let film = ["libavformat", "libavcodec", "libavutil", "libswscale", "libswresample"]
  static let page = ["libxml2"]
  static let worker = ["libcurl", "libsqlite3", "libhiredis", "libmicrohttpd"]

  struct Rule: Sendable, CustomTestStringConvertible {
    let program: String
    let forbidden: [String]
    /// Proves that the list was read.
    let needed: String
    var testDescription: String { program }
  }

  static let rules = [
    Rule(program: "wirephoto", forbidden: still + heif + film + page, needed: "libcurl"),
    Rule(
      program: "wirephoto-image-decoder", forbidden: heif + film + page + worker,
      needed: "libjpeg"),
    Rule(
      program: "wirephoto-heif-decoder",
      forbidden: ["libheif", "libaom", "libx265"] + film + page + worker, needed: "libde265"),
    // Debian's libavformat loads libxml2 for its own needs, and others; not the worker's libraries.
    Rule(
      program: "wirephoto-av-decoder", forbidden: ["libsqlite3", "libhiredis", "libmicrohttpd"],
      needed: "libavformat"),
    Rule(
      program: "wirephoto-page-reader", forbidden: still + heif + film + worker,
      needed: "libxml2"),
  ]

  static func manifest() throws -> String {
    String(decoding: try FileBytes.read(Project.path("Package.swift")), as: UTF8.self)
  }

  @Test("A program loads the libraries of its own kind only", arguments: rules)
  func libraries(rule: Rule) async throws {
    guard try Self.manifest().contains("program(\"\(rule.program)\"") else { return }
    let outcome = try await Command.tool("ldd", [try Project.program(rule.program)]).run()
    try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
    let loaded = outcome.lines.compactMap { line in
      line.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }
    #expect(loaded.contains { $0.hasPrefix(rule.needed) }, "\(loaded)")
    for library in rule.forbidden {
      #expect(!loaded.contains { $0.hasPrefix(library + ".") || $0.hasPrefix(library + "-") })
    }
    // A dynamic Swift runtime, or Foundation, would be the larger part of a child's start.
    #expect(!loaded.contains { $0.hasPrefix("libswift") || $0.hasPrefix("libFoundation") })
  }

  @Test func `Every program has its rule`() throws {
    let names = try Self.manifest().split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\"")
      return line.hasPrefix("    program(\"") ? parts.dropFirst().first.map(String.init) : nil
    }
    #expect(names.count >= 3)
    #expect(Set(names).isSubset(of: Set(Self.rules.map(\.program))))
  }

  @Test func `Scripts/bootstrap lists every Debian package that the manifest names`() throws {
    let list = String(
      decoding: try FileBytes.read(Project.path("Scripts/bootstrap")), as: UTF8.self)
    let listed = Set(list.split { $0.isWhitespace || $0 == "(" || $0 == ")" })
    let named = try Self.manifest().components(after: "apt: \"")
    #expect(named.count >= 10)
    for package in named { #expect(listed.contains(package), "\(package)") }
  }
}

extension String {
  /// What follows each `mark`, up to the next quotation mark.
  fileprivate func components(after mark: String) -> [Substring] {
    ranges(of: mark).map { self[$0.upperBound...].prefix { $0 != "\"" } }
  }
}
