import Files
import Foundation
import Glibc
import Media
import SharedCache
import TestSupport
import Testing

/// A process that publishes, stopped or refused at each system call of its way.
@Suite("Crashes", .timeLimit(.minutes(10)))
struct CrashTests {
  /// The calls of the kernel that publication makes.
  static let calls = [
    "openat", "mkdirat", "flock", "fchmod", "pwrite64", "write", "utimensat", "fsync", "fdatasync",
    "renameat2", "unlinkat", "newfstatat", "pread64", "ftruncate", "fcntl",
  ]

  @Test("Killed at a system call, a publication is whole or absent", arguments: calls)
  func killed(at call: String) async throws {
    try await inject("signal=SIGKILL", at: call) { outcome in
      if case .exited(let code) = outcome.ending { #expect(code == 0) }
    }
  }

  @Test(
    "Refused by the disk, a publication is whole or absent, and a full disk is called so",
    arguments: ["openat", "mkdirat", "pwrite64", "write", "fsync", "fdatasync", "renameat2"])
  func refused(at call: String) async throws {
    for error in ["ENOSPC", "EIO"] {
      try await inject("error=\(error)", at: call) { outcome in
        let ending = outcome.ending
        #expect(ending == .exited(0) || ending == .exited(1), "\(outcome.errorText)")
        if error == "ENOSPC" && ending == .exited(1) {
          // Of a sync that failed SQLite does not tell why; the last is the opening of a directory or
          // file.
          let reasons = ["disk full", "index unavailable", ": No space left on device"]
          #expect(reasons.contains { outcome.text.contains($0) }, "\(outcome.text)")
        }
      }
    }
  }

  /// Has the N-th `call` fail or kill, and looks at what is left: for a few N, in the nightly run
  /// for every N from the cache's first call on.
  private func inject(
    _ fault: String, at call: String, _ check: (CommandOutcome) -> Void
  ) async throws {
    let scene = try CrashScene()
    guard let occurrences = try await scene.occurrences(of: call) else { return }
    let stride = DamageTests.rounds > 1 ? 1 : max(1, occurrences.count / 6)
    for step in Swift.stride(from: occurrences.lowerBound, to: occurrences.upperBound, by: stride) {
      let cache = scene.folder.path(of: "cache-\(step)")
      let outcome = try await scene.publish(
        into: cache, ["-e", "trace=\(call)", "-e", "inject=\(call):\(fault):when=\(step)"])
      check(outcome)
      try Self.expectSoundness(
        of: cache, scene.bytes, published: outcome.text.hasPrefix("published"),
        keepsIndex: fault.hasPrefix("signal"))
    }
  }

  /// What is there is whole, what is not there is missing, and the next job succeeds. An index that
  /// the disk refused is made anew, and files are entered in it later.
  static func expectSoundness(
    of directory: String, _ bytes: [UInt8], published: Bool, keepsIndex: Bool
  ) throws {
    let hash = try #require(unsafe ContentHash.of(bytes.span.bytes))
    for name in [ObjectName(original: hash), ObjectName(hash, format: .jpeg)] {
      let path = "\(directory)/\(name.relativePath)"
      if exists(path) {
        #expect(try FileBytes.read(path) == bytes)
      } else {
        #expect(!published)
      }
    }
    let cache = try SharedCache.open(directory: directory)
    if let source = cache.lookUp(SourceKey(url: "https://a.example/x")) {
      #expect(source.original == hash)
    }
    let stored = try cache.publish(bytes, now: WallClock.now())
    #expect(try cache.bytes(of: stored.name) == bytes)
    let later = WallClock.now() + 120_000
    _ = try cache.sweep(now: later)
    for folder in ["tmp", "quarantine"] {
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(directory)/\(folder)").isEmpty)
    }
    let report = try cache.verify(now: later)
    #expect(report.isClean && (report.adopted == 0 || !keepsIndex))
    #expect(try cache.verify(now: later).adopted == 0)
  }

  @Test func `killed at random, publishers leave nothing torn and nothing behind`() async throws {
    let fixture = try CacheFixture.make()
    var random = SplitMix(seed: 11)
    for seed in 0..<20 * DamageTests.rounds {
      let publisher = try Command.built(
        "cache-exerciser", ["publish-many", fixture.path, "\(seed)"]
      ).start()
      try await publisher.waitForOutput()
      try await Task.sleep(for: .microseconds(.random(in: 0...20_000, using: &random)))
      publisher.send(SIGKILL)
      let outcome = try await publisher.finish(by: .after(.seconds(120)))
      #expect(outcome.ending == .signalled(SIGKILL))
      // The last line may be cut.
      for path in outcome.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        #expect(exists("\(fixture.path)/\(path)"), "\(path) was published")
      }
    }
    let later = WallClock.now() + 120_000
    _ = try fixture.cache.sweep(now: later)
    #expect(try fixture.folder.names(in: "cache/tmp").isEmpty)
    let report = try fixture.cache.verify(now: later)
    #expect(report.isClean && report.adopted == 0)
    #expect(report.checked > 20)
  }
}

/// A picture to publish, and strace to publish it under.
struct CrashScene: ~Copyable {
  let folder: TemporaryDirectory
  let bytes = sampleBytes(5, count: 30_000)

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// Which occurrences of a call, counted from 1, come after the cache's path was first named; nil
  /// where processes cannot be traced.
  func occurrences(of call: String) async throws -> Range<Int>? {
    let log = folder.path(of: "trace")
    let outcome = try await publish(
      into: folder.path(of: "cache-untouched"), ["-o", log, "-e", "trace=mkdir,\(call)"])
    guard outcome.text.hasPrefix("published") else { return nil }
    let lines = String(decoding: try FileBytes.read(log), as: UTF8.self).split(separator: "\n")
    let first = lines.firstIndex { $0.contains("cache-untouched") } ?? 0
    let isCall: (Substring) -> Bool = { $0.contains(" \(call)(") }
    let before = lines[..<first].count(where: isCall)
    return before + 1..<lines.count(where: isCall) + 1
  }

  func publish(into cache: String, _ options: [String]) async throws -> CommandOutcome {
    let file = try folder.write(bytes, to: "picture")
    let program = try Project.program("cache-exerciser")
    let quiet = options.contains("-o") ? [] : ["-o", "/dev/null"]
    return try await Command(
      try requireTool("strace"),
      ["-f", "-qq"] + quiet + options + [program, "publish", cache, file]
    ).run()
  }
}
