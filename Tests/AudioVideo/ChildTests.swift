import Files
import Glibc
import Media
import Sandbox
import TestSupport
import Testing

/// The decoder's real process, under its limits and its filter.
@Suite("Sound and film in their child", .timeLimit(.minutes(10)))
struct ChildTests {
  private static let request = RenderRequest(
    operation: .render, renditions: [.init(.iphone)], attachment: .apple)

  private func run(
    _ request: RenderRequest, _ path: String, by supervisor: ChildSupervisor
  ) async throws -> RenderResult {
    let input = try Descriptor.open(path, flags: O_RDONLY)
    return try await supervisor.render(
      request, family: .av, input: input, deadline: .after(.seconds(120)))
  }

  @Test("Every sample gives in the child what it gives outside")
  func samples() async throws {
    let supervisor = try ChildSupervisor(ChildConfiguration(directories: [Project.productsFolder]))
    for sample in Samples.folder("audio", "video") {
      let result = try await run(Self.request, sample.path, by: supervisor)
      #expect(result.reply == (try MediaRun(Self.request, sample.path).reply), "\(sample)")
      let hasFilm = result.reply.media?.displayedSize != nil
      #expect(result.reply.renditions.count == (hasFilm ? 1 : 0), "\(sample)")
    }
    await supervisor.stop()
  }

  @Test("No file of others brings the child down")
  func corpus() async throws {
    let supervisor = try ChildSupervisor(ChildConfiguration(directories: [Project.productsFolder]))
    for file in MediaFile.corpus(nil) {
      for operation in [RenderRequest.Operation.render, .probeDeep] {
        var request = Self.request
        request.operation = operation
        if operation != .render { request.renditions = [] }
        let reply = try await run(request, file.path, by: supervisor).reply
        #expect(reply.media != nil || !reply.problems.isEmpty, "\(file)")
      }
    }
    await supervisor.stop()
  }

  /// Damage may be refused or passed over, but needs no system call that whole files do not.
  @Test("Changed bytes never lead to a forbidden call")
  func changed() async throws {
    let supervisor = try ChildSupervisor(ChildConfiguration(directories: [Project.productsFolder]))
    let folder = try TemporaryDirectory()
    var state: UInt64 = 1
    /// Knuth's MMIX generator, its better bits.
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for sample in Samples.folder("audio", "video") {
      for _ in 0..<TestScale.count(3, nightly: 200) {
        var bytes = try FileBytes.read(sample.path)
        for _ in 0..<(1 + next(30)) {
          // Past the signature, and more often in headers than behind them.
          bytes[min(bytes.count - 1, 12 + next(next(2) == 0 ? 2000 : bytes.count))] = UInt8(
            next(256))
        }
        let path = try folder.write(bytes, to: "changed")
        do {
          let reply = try await run(Self.request, path, by: supervisor).reply
          #expect(reply.media != nil || !reply.problems.isEmpty, "\(sample)")
        } catch let failure as ChildFailure {
          #expect(failure == .outOfMemory || failure == .timedOut, "\(sample): \(failure)")
        }
      }
    }
    await supervisor.stop()
  }
}
