import Download
import Foundation
import Media
import Origin
import TestSupport
import Testing

/// Bodies under a Content-Encoding field, compressed by another program.
@Suite(.timeLimit(.minutes(15))) struct ContentCodingTests {
  struct Coding: CustomTestStringConvertible, Sendable {
    let field: String
    /// What Python makes of `data`.
    let expression: String
    var failure: DownloadFailure?
    /// How much of the data arrives, where not all does.
    var count = 50_000

    var testDescription: String { "\(field): \(expression)" }
  }

  static let codings = [
    Coding(field: "gzip", expression: "gzip.compress(data)"),
    Coding(field: "X-GZip", expression: "gzip.compress(data)"),
    Coding(field: "deflate", expression: "zlib.compress(data)"),
    Coding(field: "deflate", expression: "zlib.compress(data)[2:-4]"),
    Coding(field: "gzip", expression: "gzip.compress(data) + b'\\0\\n after its end'"),
    Coding(field: "gzip", expression: "gzip.compress(data[:100]) + gzip.compress(data[100:])"),
    Coding(field: "identity, gzip", expression: "gzip.compress(data)"),
    Coding(field: "gzip, gzip", expression: "gzip.compress(gzip.compress(data))"),
    Coding(field: "deflate, gzip", expression: "gzip.compress(zlib.compress(data))"),
    Coding(field: "gzip,deflate", expression: "zlib.compress(gzip.compress(data))"),
    Coding(
      field: "gzip, identity, x-gzip, deflate",
      expression: "zlib.compress(gzip.compress(gzip.compress(data)))"),
    Coding(field: "gzip, gzip", expression: "gzip.compress(data)"),
    Coding(field: "gzip, gzip", expression: "data"),
    Coding(field: "gzip, gzip", expression: "gzip.compress(data[:1])", count: 1),
    Coding(field: "gzip, gzip", expression: "b''", count: 0),
    Coding(field: "gzip, gzip", expression: "gzip.compress(gzip.compress(data)) + b'after'"),
    Coding(field: "gzip, utf-8", expression: "gzip.compress(data)"),
    // Brotli is not undone, and hides what is beneath.
    Coding(field: "deflate, br", expression: "data"),
    Coding(
      field: "gzip, gzip, gzip, gzip", expression: "data",
      failure: .tooManyCodings(4, limit: 3), count: 0),
    Coding(
      field: "gzip, gzip", expression: "gzip.compress(gzip.compress(data[:20000], 0)[:-8], 0)",
      failure: .truncatedBody(expected: nil, actual: 20_000), count: 20_000),
    Coding(
      field: "gzip, gzip", expression: "gzip.compress(gzip.compress(data[:20000], 0), 0)[:-8]",
      failure: .truncatedBody(expected: nil, actual: 20_000), count: 20_000),
    Coding(field: "utf-8", expression: "data"),
    Coding(field: "gzip", expression: "data"),
    Coding(field: "gzip", expression: "data[:1]", count: 1),
    Coding(field: "deflate", expression: "b''", count: 0),
    Coding(
      field: "gzip", expression: "gzip.compress(data[:20000], 0)[:-8]",
      failure: .truncatedBody(expected: nil, actual: 20_000), count: 20_000),
    Coding(
      field: "gzip", expression: "gzip.compress(data[:20000], 0)[:-8] + b'\\1' * 8",
      failure: .truncatedBody(expected: nil, actual: 20_000), count: 20_000),
  ]

  /// Deterministic, and not compressible to nothing.
  private static let script = """
    import gzip, sys, zlib
    data = bytes((i * i // 7 + i) % 251 for i in range(50000))
    open(sys.argv[1], "wb").write(eval(sys.argv[2]))
    """
  private static let data: [UInt8] = (0..<50_000).map { (index: Int) -> UInt8 in
    let value: Int = index * index / 7 + index
    return UInt8(value % 251)
  }

  @Test("What was compressed arrives as it was", arguments: codings)
  func decoded(_ coding: Coding) async throws {
    let folder = try TemporaryDirectory()
    let made = try await Command.tool(
      "python3", ["-c", Self.script, folder.path(of: "body"), coding.expression]
    ).run()
    try #require(made.ending == .exited(0), "\(made.errorText)")
    let origin = try OriginServer(folder: folder.path)
    let field = coding.field.replacing(" ", with: "%20")
    let result = try await Fetch(origin).run("/body?encoding=\(field)") { $0.retries = 0 }
    #expect(result.failure == coding.failure)
    #expect(result.bytes.count == coding.count)
    #expect(Self.data.starts(with: result.bytes))
  }

  @Test("Bytes between two codings are bounded, even where they come to nothing")
  func betweenCodings() async throws {
    let folder = try TemporaryDirectory()
    // 1.4 kB, which come to 2 MB of empty members.
    let expression = "gzip.compress(gzip.compress(b'', mtime=0) * 100000)"
    let made = try await Command.tool(
      "python3", ["-c", Self.script, folder.path(of: "body"), expression]
    ).run()
    try #require(made.ending == .exited(0), "\(made.errorText)")
    let origin = try OriginServer(folder: folder.path)
    let result = try await Fetch(origin).run("/body?encoding=gzip,%20gzip") {
      $0.byteLimit = 1_000_000
    }
    #expect(result.failure == .downloadTooLarge(limit: 1_000_000, declared: nil))
    #expect(result.bytes.isEmpty)
    let whole = try await Fetch(origin).run("/body?encoding=gzip,%20gzip") {
      $0.byteLimit = 3_000_000
    }
    #expect(whole.failure == nil)
  }

  @Test("Data that come to nothing are bounded too")
  func emptyMembers() async throws {
    let folder = try TemporaryDirectory()
    let made = try await Command.tool(
      "python3", ["-c", Self.script, folder.path(of: "body"), "gzip.compress(b'') * 10000"]
    ).run()
    try #require(made.ending == .exited(0), "\(made.errorText)")
    let origin = try OriginServer(folder: folder.path)
    let result = try await Fetch(origin).run("/body?encoding=gzip&chunked") {
      $0.byteLimit = 100_000
    }
    #expect(result.failure == .downloadTooLarge(limit: 100_000, declared: nil))
    #expect(result.bytes.isEmpty)
  }
}
