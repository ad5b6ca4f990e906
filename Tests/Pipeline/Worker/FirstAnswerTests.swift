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
}
