import Glibc
import Media
import Sandbox
import Testing

@Suite struct ChildEndTests {
  @Test(arguments: [
    (ChildEnd.Cause.code(0), ChildFailure.exited(code: 0)),
    (.code(3), .exited(code: 3)),
    (.code(71), .outOfMemory),
    (.signal(SIGSYS), .sandboxViolation),
    (.signal(SIGXCPU), .timedOut),
    (.signal(SIGSEGV), .crashed(signal: 11)),
    (.signal(SIGKILL), .crashed(signal: 9)),
  ]) func `an end without an answer is told by its cause`(
    _ cause: ChildEnd.Cause, _ failure: ChildFailure
  ) {
    #expect(ChildEnd(cause: cause, cpuTime: .zero).failure == failure)
  }

  @Test func `peaks are read from the kernel's text`() throws {
    let status = "Name:\ta VmPeak: b\nVmPeak:\t   66612 kB\nVmSize:\t 1 kB\nVmHWM:\t    5120 kB\n"
    let peaks = try #require(ChildPeaks(status: status))
    #expect(peaks.addressSpace == 68_210_688)
    #expect(peaks.resident == 5_242_880)
    #expect(ChildPeaks(status: "Name:\tx\nState:\tZ (zombie)\n") == nil)
  }

  @Test func `nine tenths of the address space count as all of it`() {
    let limits = ChildLimits(addressSpace: 100 << 20, cpuSeconds: 1, outputBytes: 1)
    func peaks(_ kilobytes: Int) -> ChildPeaks? {
      ChildPeaks(status: "VmPeak: \(kilobytes) kB\nVmHWM: 1 kB")
    }
    #expect(peaks(93_000)?.reached(limits) == true)
    #expect(peaks(91_000)?.reached(limits) == false)
  }

  @Test(arguments: [
    (ChildFailure.crashed(signal: 11), "decoderCrashed"), (.exited(code: 1), "decoderCrashed"),
    (.protocolViolation("x"), "decoderCrashed"), (.timedOut, "decoderTimeout"),
    (.outOfMemory, "decoderMemory"), (.sandboxViolation, "sandboxViolation"),
  ]) func `failures bear the contract's codes`(_ failure: ChildFailure, _ code: String) {
    #expect(failure.problem.code.rawValue == code)
    #expect(failure.problem(.page).stage == .page)
  }
}
