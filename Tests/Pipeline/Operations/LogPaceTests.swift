import Pipeline
import Testing

@Suite(.timeLimit(.minutes(15))) struct LogPaceTests {
  @Test func `One message in ten seconds is let through, and tells of those kept back`() {
    let pace = LogPace()
    let start = ContinuousClock.now
    #expect(pace.admit(now: start) == 0)
    for tenth in 1..<100 {
      #expect(pace.admit(now: start.advanced(by: .milliseconds(100 * tenth))) == nil)
    }
    #expect(pace.admit(now: start.advanced(by: .seconds(10))) == 99)
    #expect(pace.admit(now: start.advanced(by: .seconds(11))) == nil)
    #expect(pace.admit(now: start.advanced(by: .seconds(40))) == 1)
    #expect(pace.admit(now: start.advanced(by: .seconds(60))) == 0)
  }

  @Test func `Times are told to a thousandth of a second`() {
    #expect(2.8000000000000003.roundedToThousandth.description == "2.8")
    #expect(0.5004999.roundedToThousandth == 0.5 && 0.0.roundedToThousandth == 0)
  }
}
