import Dispatch
import Files
import Glibc
import Media
import Pipeline

/// The command line: finds the command, reads its arguments, runs it, ends with its exit code.
@main
struct Wirephoto {
  static let commands = [
    Command.worker, .submit, .jobs, .outbox, .probe, .render, .warm, .cache, .doctor,
  ]

  static func main() {
    StandardDescriptors.fill()
    // A reader that went away is an error of one write, not the end of a worker.
    signal(SIGPIPE, SIG_IGN)
    let words = Array(words.dropFirst())
    if let shortage = AddressSpace.shortage(for: words.first) {
      Console(environment: [:]).note(shortage)
      _exit(ExitCode.environment.rawValue)
    }
    Task {
      let code = await run(words)
      // Nothing is buffered, and threads of the libraries may still be at work: `exit` would free
      // under them what they use.
      _exit(code.rawValue)
    }
    dispatchMain()
  }

  /// The command line, whose words may name files that are not UTF-8.
  private static var words: [String] {
    (0..<Int(CommandLine.argc)).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { word in
        unsafe FileName.text(
          UnsafeBufferPointer(start: word, count: strlen(word)).map { UInt8(bitPattern: $0) })
      }
    }
  }

  private static func run(_ words: [String]) async -> ExitCode {
    let console = Console(environment: [:])
    guard let first = words.first else {
      console.note("no command; wirephoto --help lists them")
      return .usage
    }
    switch first {
    case "help" where words.count > 1:
      return await run(Array(words.dropFirst()) + ["--help"])
    case "--help", "-h", "help":
      console.result(overview)
      return .done
    case "--version":
      console.result("wirephoto \(wirephotoVersion)")
      return .done
    default:
      guard let command = commands.first(where: { $0.name == first }) else {
        console.note("\(first): unknown command; wirephoto --help lists them")
        return .usage
      }
      return await run(command, words.dropFirst())
    }
  }

  private static func run(_ command: Command, _ words: ArraySlice<String>) async -> ExitCode {
    let options = command.options + Command.common
    let console = Console.readingEnvironment(of: options)
    do {
      let arguments = try Arguments(words, options: options, environment: console.environment)
      if arguments[Options.help] {
        console.result(command.help(arguments.operands))
        return .done
      }
      if arguments[Options.version] {
        console.result("wirephoto \(wirephotoVersion)")
        return .done
      }
      let code = try await command.run(arguments, console)
      guard console.hasLostResults else { return code }
      throw EnvironmentError("results could not be written to standard output")
    } catch let error as UsageError {
      console.note(error.message)
      return .usage
    } catch let error as EnvironmentError {
      console.note(error.message)
      return .environment
    } catch let error as UnusableEnvironment {
      console.note(error.message)
      return error.isBadValue ? .usage : .environment
    } catch {
      console.note("\(error)")
      return .environment
    }
  }

  private static var overview: String {
    """
    usage: wirephoto COMMAND [operands] [options]

    Finds, checks and bounds the pictures of push notifications, before the deadline.

    \(HelpPage.table(commands.map { ($0.name, $0.summary) }))

    wirephoto COMMAND --help tells a command's options.
    """
  }
}
