import Media
import Pipeline
import Testing

@Suite(.timeLimit(.minutes(15)))
struct FirstAnswerTests {
  @Test("The first answer counts, whether it comes before or while somebody waits")
  func first() async {
    let early = FirstAnswer<Int>()
    early.answer(1)
    early.answer(2)
    #expect(await early.value() == 1)
    let late = FirstAnswer<Int>()
    async let value = late.value()
    let others = Task { for number in 3..<100 { late.answer(number) } }
    #expect(await value == 3)
    await others.value
  }

  @Test("Work that has not come to its end at the limit is not waited for")
  func late() async {
    let ends = AsyncStream<Void>.makeStream()
    let gate = AsyncStream<Void>.makeStream()
    let answer = await FirstAnswer<Int>.by(.fixed(.after(.milliseconds(20))), else: 1) {
      // Nothing ends this but the test, which has its answer before.
      for await _ in gate.stream { break }
      ends.continuation.yield()
      return 2
    }
    #expect(answer == 1)
    gate.continuation.yield()
    for await _ in ends.stream { break }
  }

  @Test("Work that ends before the limit gives the answer")
  func punctual() async {
    #expect(await FirstAnswer<Int>.by(.fixed(.after(.seconds(600))), else: 1) { 2 } == 2)
  }

  @Test("Who is cancelled cancels the work, and gets what it gives then")
  func cancelled() async {
    let started = AsyncStream<Void>.makeStream()
    let task = Task {
      await FirstAnswer<Int>.by(.fixed(.after(.seconds(600))), else: 1) {
        started.continuation.yield()
        try? await Task.sleep(for: .seconds(500))
        return Task.isCancelled ? 3 : 2
      }
    }
    for await _ in started.stream { break }
    task.cancel()
    #expect(await task.value == 3)
  }
}
