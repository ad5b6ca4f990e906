/// Wrong usage, told in one line that names the option; exit 2.
struct UsageError: Error, Sendable {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}

/// A broken environment, told in one line; exit 3.
struct EnvironmentError: Error, Sendable {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}
