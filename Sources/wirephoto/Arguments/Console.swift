import Files
import Glibc
import Synchronization

/// Standard output for results, standard error for everything else, and the environment.
struct Console: Sendable {
  let environment: [String: String]
  private let lostResults = LostResults()

  init(environment: [String: String]) {
    self.environment = environment
  }

  /// Whether a result could not be written, other than for want of a reader.
  var hasLostResults: Bool { lostResults.isAny }

  /// Writes one result line.
  func result(_ line: String) {
    write(line + "\n", to: STDOUT_FILENO)
  }

  /// Writes one result line; false when nobody reads any more.
  func isRead(_ line: String) -> Bool {
    write(line + "\n", to: STDOUT_FILENO)
  }

  /// Writes a result that is no text.
  func writeBytes(_ bytes: [UInt8]) throws(SystemCallFailure) {
    let descriptor = Descriptor(adopting: try retryingOnInterrupt("dup") { dup(STDOUT_FILENO) })
    try descriptor.write(bytes)
  }

  /// Writes one line that is not a result.
  func note(_ line: String) {
    write("wirephoto: \(line)\n", to: STDERR_FILENO)
  }

  /// A reader that went away ends the writing; any other failure is remembered for the exit code.
  @discardableResult
  private func write(_ text: String, to number: Int32) -> Bool {
    let descriptor = Descriptor(adopting: number)
    var isWritten = true
    do throws(SystemCallFailure) {
      try descriptor.write(Array(text.utf8))
    } catch {
      isWritten = false
      if number == STDOUT_FILENO, error.number != EPIPE { lostResults.note() }
    }
    _ = descriptor.release()
    return isWritten
  }

  /// The process's environment variables that concern Wirephoto. The corresponding C function is
  /// `getenv`.
  static func readingEnvironment(of options: [AnyOption]) -> Console {
    var found: [String: String] = [:]
    let names = options.map(\.environmentVariable) + ["WIREPHOTO_JOBS", "CREDENTIALS_DIRECTORY"]
    for name in names {
      if let value = unsafe getenv(name) { found[name] = unsafe String(cString: value) }
    }
    return Console(environment: found)
  }
}

/// Whether any result was lost on its way out.
private final class LostResults: Sendable {
  private let state = Atomic(false)

  var isAny: Bool { state.load(ordering: .relaxed) }

  func note() { state.store(true, ordering: .relaxed) }
}
