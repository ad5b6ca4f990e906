import Media
import Pipeline

extension Command {
  static let warm = Command(
    name: "warm", operands: "--cache DIR [SOURCE…]",
    summary: "Fills the cache ahead of time, and refreshes what stops being fresh soon.",
    details: """
      A SOURCE is an address or a file (- for stdin): a picture, a page,
      a feed, a sitemap, a list of addresses, or a job's payload. Without one, what the cache has and
      what stops being fresh soon is refreshed, as it is with one.
      """,
    options: [
      AnyOption(Options.cache), AnyOption(Options.budget), AnyOption(Options.perHost),
      AnyOption(Options.parallelItems), AnyOption(Options.refreshBefore),
      AnyOption(Options.strict), AnyOption(Options.json), AnyOption(Options.profile),
      AnyOption(Options.cacheSize), AnyOption(Options.minFree), AnyOption(Options.maxDownload),
    ] + NetworkArguments.options + [AnyOption(Options.settings)] + ProfileArguments.recipeOptions
      + Toolbox.options,
    exitCodes: [
      .init(.done, "done, or another run is at it; failures are in the summary"),
      .init(.inputFailed, "a file could not be read; with --strict, anything failed"),
    ],
    run: { try await WarmCommand($0, console: $1).run() })
}

private struct WarmCommand {
  let arguments: Arguments
  let console: Console
  let configuration: WarmConfiguration

  init(_ arguments: Arguments, console: Console) throws {
    self.arguments = arguments
    self.console = console
    guard let cache = arguments[Options.cache] else { throw UsageError("--cache: is missing") }
    let settings = try SettingsArguments.load(arguments, cache: cache)
    var configuration = WarmConfiguration(
      cache: cache, decoders: Toolbox.decoders(arguments, waiting: 1), settings: settings)
    configuration.recipe = ProfileArguments.recipe(arguments)
    configuration.profiles = try ProfileArguments.profiles(
      arguments[Options.profile], option: "--profile", among: settings.value)
    configuration.limits.budget = arguments[Options.budget]
    configuration.limits.perHost = arguments[Options.perHost]
    configuration.limits.parallel = arguments[Options.parallelItems]
    configuration.limits.refreshBefore = arguments[Options.refreshBefore]
    configuration.cacheSize = arguments[Options.cacheSize]
    configuration.minFree = arguments[Options.minFree]
    configuration.maxDownload = arguments[Options.maxDownload]
    configuration.network = try NetworkArguments.network(arguments, console, cache: cache)
    self.configuration = configuration
  }

  func run() async throws -> ExitCode {
    let signals = StopSignals()
    var progress = ProgressLine("items")
    let report = try await configuration.run(arguments.operands, stoppedBy: signals) { news in
      switch news {
      case .progress(let done, let total): progress.show(done, of: total)
      case .unreadable(let reason):
        progress.clear()
        console.note(reason)
      case .failure(let problem):
        progress.clear()
        let subject = problem.url.map { "\($0): " } ?? ""
        console.note("\(subject)\(problem.code.rawValue): \(problem.message)")
      }
    }
    progress.clear()
    if arguments[Options.json] {
      console.result(report.json.text)
    } else if report.isBusy {
      console.result("another warm-up of this cache is under way; nothing was done")
    } else {
      console.result(report.line)
    }
    let hasFailed = report.unreadable > 0 || (arguments[Options.strict] && report.failed > 0)
    return hasFailed ? .inputFailed : .done
  }
}
