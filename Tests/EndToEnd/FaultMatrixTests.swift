import TestSupport
import Testing

/// A third of the fault matrix, of each fault, format and cache as many; `Scripts/fault-matrix`
/// runs all.
@Suite(.timeLimit(.minutes(15))) struct FaultMatrixTests {
  @Test("Every fault on the way to a picture ends on the right rung, in time, with its reason")
  func matrix() async throws {
    let outcome = try await Command(
      Project.path("Scripts/fault-matrix"),
      ["--third", "0", "--patient", "--programs", Project.productsFolder]
    ).run(limit: .seconds(280))
    #expect(outcome.ending == .exited(0), "\(outcome.text)\n\(outcome.errorText)")
    // As many as were meant to be, even where the slow name server could not be had.
    #expect(outcome.lines.last?.contains("0 wrong") == true)
    #expect(outcome.lines.filter { $0.contains(" full") || $0.contains(" stale") }.count > 30)
  }
}
