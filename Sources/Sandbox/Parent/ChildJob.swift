internal import CSystemShims
internal import Files
internal import Glibc
internal import Media
internal import Synchronization

/// One input on its way through a child; answered exactly once.
final class ChildJob: Sendable {
  typealias Outcome = Result<ChildResult, ChildFailure>

  let family: ChildFamily
  let request: [UInt8]
  let input: Descriptor
  let output: ChildOutput
  let limits: ChildLimits
  let deadline: Deadline
  private let isCancelled = Atomic(false)
  private let continuation = Mutex<CheckedContinuation<Outcome, Never>?>(nil)

  init(
    _ family: ChildFamily, request: [UInt8], input: consuming Descriptor, output: ChildOutput,
    limits: ChildLimits, deadline: Deadline
  ) {
    self.family = family
    self.request = request
    self.input = input
    self.output = output
    self.limits = limits.clamped
    self.deadline = deadline
  }

  /// Whether a child may have the file: a regular file that it cannot write to.
  static func check(_ input: borrowing Descriptor) throws(ChildFailure) {
    let number = input.number
    let isReadOnly = csystem_get_flags(number) & O_ACCMODE == O_RDONLY
    let seals = csystem_get_seals(number)
    let isSealed = seals != -1 && seals & csystem_seal_write != 0
    guard isReadOnly || isSealed else { throw .unavailable("the input could be changed") }
    guard lseek(number, 0, SEEK_SET) == 0 else { throw .unavailable("the input is no file") }
  }

  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
  }

  var wasCancelled: Bool { isCancelled.load(ordering: .relaxed) }

  /// Who waits for the answer.
  func attach(_ continuation: CheckedContinuation<Outcome, Never>) {
    self.continuation.withLock { $0 = continuation }
  }

  /// Answers, the first time only.
  func finish(_ outcome: Outcome) {
    let waiting = continuation.withLock { $0.take() }
    waiting?.resume(returning: outcome)
  }
}
