import Files
import Glibc

/// Standard input, output and error.
enum StandardDescriptors {
  /// Gives each that is closed a place holder that cannot be used in its direction, lest a file
  /// opened later takes its number and gets what was meant for the caller.
  static func fill() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      let flags = number == STDIN_FILENO ? O_WRONLY : O_RDONLY
      // The lowest free number is the one that is missing.
      _ = try? Descriptor.open("/dev/null", flags: flags).release()
    }
  }
}
