import Files
import Foundation
import Glibc
import Media
import Origin
import TestSupport
import Testing

/// An ext4 file system of 64 MB in a file, unmounted with its owner.
struct LoopFileSystem: ~Copyable {
  let folder: TemporaryDirectory

  /// Nil, which is said, where mounting is not permitted.
  static func mounted() async throws -> LoopFileSystem? {
    let folder = try TemporaryDirectory()
    let image = folder.path(of: "image")
    let steps: [(String, [String])] = [
      ("truncate", ["-s", "64M", image]), ("mkfs.ext4", ["-q", "-F", image]),
      ("mount", ["-o", "loop", image, try folder.makeFolder("disk")]),
    ]
    for (tool, arguments) in steps {
      guard geteuid() == 0, let command = try? Command.tool(tool, arguments),
        try await command.run().ending == .exited(0)
      else {
        print("skipped: no loop mount here (\(tool))")
        return nil
      }
    }
    return LoopFileSystem(folder: folder)
  }

  var path: String { folder.path(of: "disk") }

  deinit { unsafe umount2(folder.path(of: "disk"), 2) }

  /// Takes the last byte.
  func fill() throws {
    let file = try Descriptor.open("\(path)/ballast", flags: O_WRONLY | O_CREAT, mode: 0o600)
    for size in [1 << 20, 4096, 1] {
      let piece = [UInt8](repeating: 7, count: size)
      while true {
        do throws(SystemCallFailure) {
          try unsafe file.write(piece.span.bytes)
          try file.sync()
        } catch {
          guard error.isDiskFull else { throw error }
          break
        }
      }
    }
  }

  /// Gives some of it back.
  func give(_ bytes: Int) throws {
    let file = try Descriptor.open("\(path)/ballast", flags: O_WRONLY)
    #expect(ftruncate(file.number, off_t(try file.size() - bytes)) == 0)
    try file.sync()
  }

  func free() throws {
    try FileManager.default.removeItem(atPath: "\(path)/ballast")
  }
}

@Suite(.timeLimit(.minutes(15))) struct FullDiskTests {
  @Test func `A full cache serves what it has, and jobs go on from memory until there is room`()
    async throws
  {
    guard let disk = try await LoopFileSystem.mounted() else { return }
    let warm = try WarmSite.make(pictures: 15)
    let worker = try Command.built(
      "wirephoto",
      [
        "worker", warm.site.jobs, "--cache", "\(disk.path)/cache", "--min-free", "0",
        "--cache-size", "1GB", "--allow-address", "127.0.0.0/8",
      ]
    ).start()
    try await Self.expect("known", 0..<10, "complete", warm.site)
    try disk.fill()
    try await Self.expect("again", 0..<10, "complete", warm.site)
    try await Self.expect("new", 10..<15, "complete", warm.site)
    for index in 10..<15 {
      let manifest = try warm.site.manifest("new\(index)")
      #expect(manifest.codes == ["diskFull"] && manifest.content.problems[0].severity == "note")
      let rendition = try manifest.rendition()
      #expect(try FileBytes.read(manifest.path(rendition)).count == rendition.bytes)
    }
    #expect(try await Self.verify(disk).ending == .exited(0))
    try disk.free()
    try await Self.expect("late", 10..<15, "complete", warm.site)
    #expect(try await Self.verify(disk).ending == .exited(0))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(disk.path)/cache/tmp").isEmpty)
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(120))).ending == .exited(0))
  }

  @Test(arguments: [4_096, 20_480, 65_536])
  func `A disk that becomes full amid a download costs it nothing`(room: Int) async throws {
    guard let disk = try await LoopFileSystem.mounted() else { return }
    let site = try JobSite.make()
    let reference = try JobSite.make()
    try await reference.submit("job", image: "/jpeg/large.jpg")
    try await reference.drain()
    let worker = try Command.built(
      "wirephoto",
      [
        "worker", site.jobs, "--cache", "\(disk.path)/cache", "--min-free", "0",
        "--allow-address", "127.0.0.0/8",
      ]
    ).start()
    try await worker.waitForLog("publishing takes")
    try disk.fill()
    try disk.give(room)
    try await site.submit("job", image: "/jpeg/large.jpg")
    try await site.waitForOutbox("job")
    let manifest = try site.manifest("job")
    let expected = try reference.manifest("job")
    #expect(manifest.content.status == "complete", "\(manifest.codes)")
    #expect(manifest.codes == ["diskFull"])
    #expect(
      try FileBytes.read(manifest.path(manifest.rendition()))
        == FileBytes.read(expected.path(expected.rendition())))
    #expect(site.origin.requests.count == 1)
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(120))).ending == .exited(0))
    #expect(try await Self.verify(disk).ending == .exited(0))
  }

  @Test func `A warm-up that fills the disk says so, and the next goes on where it stopped`()
    async throws
  {
    guard let disk = try await LoopFileSystem.mounted() else { return }
    let warm = try WarmSite.make(pictures: 12)
    let cache = "\(disk.path)/cache"
    let list = (0..<12).map { warm.url("/\($0).jpg?cache=max-age%3D86400") }
    let run = { (urls: ArraySlice<String>) in
      let outcome = try await Command.built(
        "wirephoto",
        [
          "warm", "--cache", cache, "--min-free", "0", "--allow-address", "127.0.0.0/8", "--json",
        ] + urls
      ).run(limit: .seconds(120))
      #expect(outcome.ending == .exited(0))
      return try JSONDecoder().decode(WarmSummary.self, from: Data(outcome.output))
    }
    #expect(try await run(list[..<4]).fetched == 4)
    try disk.fill()
    let full = try await run(list[...])
    #expect(full.status == "partial" && full.left >= 8, "\(full)")
    #expect((full.failures["diskFull"] ?? 0) >= 1 && full.fetched == 0, "\(full)")
    try disk.free()
    let rest = try await run(list[...])
    #expect(rest.status == "done" && rest.fetched == 8 && rest.failed == 0, "\(rest)")
    #expect(try await Self.verify(disk).ending == .exited(0))
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(cache)/tmp").isEmpty)
  }

  @Test func `A full job directory publishes nothing by halves, loses nothing, and recovers`()
    async throws
  {
    guard let disk = try await LoopFileSystem.mounted() else { return }
    let site = try JobSite.make()
    let jobs = "\(disk.path)/jobs"
    try FileManager.default.createDirectory(atPath: jobs, withIntermediateDirectories: true)
    var command = try site.worker([])
    command.arguments[1] = jobs
    let worker = try command.start()
    try await worker.waitForLog("publishing takes")
    let ids = (0..<5).map { "job\($0)" }
    for (index, id) in ids.enumerated() {
      let url = site.origin.url("/jpeg/baseline.jpg?n=\(index)")
      let payload = #"{"title":"T","ttlSeconds":300,"imageURL":"\#(url)"}"#
      try NewFile.write(Array(payload.utf8), to: "\(jobs)/tmp/\(id).json", overwriting: false)
    }
    try NewFile.write(Array("{".utf8), to: "\(jobs)/tmp/bad.json", overwriting: false)
    let late = try site.root.write(#"{"title":"T"}"#, to: "late.json")
    try disk.fill()
    // Only names change: that needs no room.
    for id in ids + ["bad"] {
      try FileManager.default.moveItem(
        atPath: "\(jobs)/tmp/\(id).json", toPath: "\(jobs)/incoming/\(id).json")
    }
    try await worker.waitForLog("the outbox cannot be written")
    try await worker.waitForLog("no job can be claimed for now")
    #expect(try Self.names("\(jobs)/outbox").isEmpty)
    #expect(
      try await Self.submit(late, to: jobs).ending == .exited(3))
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(jobs)/tmp").isEmpty)
    try disk.free()
    try await eventually("all manifests") { try Self.names("\(jobs)/outbox") == ids }
    try await eventually("the refusal") { try Self.names("\(jobs)/failed").count == 2 }
    for id in ids {
      let manifest = try ManifestFile(folder: "\(jobs)/outbox/\(id)")
      #expect(manifest.content.status == "complete" && manifest.content.generation == 1)
    }
    let reason = try JSONReader.read(try FileBytes.read("\(jobs)/failed/bad.json.reason.json"))
      .object
    #expect(reason?["problem"]?.object?["code"] == "unreadablePayload")
    #expect(reason?["attempts"] == 1)
    worker.send(SIGTERM)
    #expect(try await worker.finish(by: .after(.seconds(120))).ending == .exited(0))
    #expect(try Self.names("\(jobs)/incoming").isEmpty && Self.names("\(jobs)/active").isEmpty)
  }

  private static func submit(_ payload: String, to jobs: String) async throws -> CommandOutcome {
    try await Command.built("wirephoto", ["submit", jobs, payload]).run()
  }

  private static func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  private static func verify(_ disk: borrowing LoopFileSystem) async throws -> CommandOutcome {
    try await Command.built("wirephoto", ["cache", "verify", "--cache", "\(disk.path)/cache"]).run()
  }

  /// Puts in a job for each picture, and waits for its manifest.
  private static func expect(
    _ prefix: String, _ pictures: Range<Int>, _ status: String, _ site: borrowing JobSite
  ) async throws {
    for index in pictures {
      try await site.submit(
        "\(prefix)\(index)", image: "/\(index).jpg?cache=max-age%3D3600")
    }
    for index in pictures {
      try await site.waitForOutbox("\(prefix)\(index)")
      let manifest = try site.manifest("\(prefix)\(index)")
      #expect(manifest.content.status == status, "\(prefix)\(index): \(manifest.codes)")
    }
  }
}
