import Pipeline
import SharedCache
import Synchronization
import Testing

/// Downloads that are held back for the decoders' sake, and who else is concerned.
@Suite(.timeLimit(.minutes(15)))
struct HeldDownloadTests {
  private let key = SourceKey(url: "http://a.example/1", variant: "image/*")
  private let other = SourceKey(url: "http://a.example/2", variant: "image/*")

  private final class Count: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }
    func increase() { number.withLock { $0 += 1 } }
  }

  @Test("A download is released, once, by who comes to wait for it")
  func released() async {
    let (waiting, releases) = (WaitingForDownloads(), Count())
    waiting.note(key) { releases.increase() }
    await waiting.waiting(for: other) { #expect(releases.value == 0) }
    await waiting.waiting(for: key) { #expect(releases.value == 1) }
    await waiting.waiting(for: key) { #expect(releases.value == 1) }
  }

  @Test("A download that others wait for already is not held")
  func wanted() async {
    let (waiting, releases) = (WaitingForDownloads(), Count())
    await waiting.waiting(for: key) {
      waiting.note(key) { releases.increase() }
      #expect(releases.value == 1)
    }
    waiting.note(key) { releases.increase() }
    #expect(releases.value == 1)
    waiting.forget(key)
    await waiting.waiting(for: key) { #expect(releases.value == 1) }
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
