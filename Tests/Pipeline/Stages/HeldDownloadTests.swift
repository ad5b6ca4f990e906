import Pipeline
import Synchronization
import Testing

/// Downloads that are held back for the decoders' sake, and who else is concerned.
@Suite(.timeLimit(.minutes(15)))
struct HeldDownloadTests {
  private final class Count: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }
    func increase() { number.withLock { $0 += 1 } }
  }

  @Test("Patience with a download does not run out while it is held back")
  func patience() async throws {
    let (held, free, ends) = (RaceOutcome(), RaceOutcome(), Count())
    held.beginHold()
    held.beginHold()
    let task = Task {
      try await held.sleep(for: .milliseconds(1))
      ends.increase()
    }
    for _ in 0..<20 { try await free.sleep(for: .milliseconds(1)) }
    held.endHold()
    for _ in 0..<20 { try await free.sleep(for: .milliseconds(1)) }
    #expect(ends.value == 0)
    held.endHold()
    try await task.value
    #expect(ends.value == 1)
  }
}
