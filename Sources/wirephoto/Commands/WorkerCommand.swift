import Media
import Pipeline

extension Command {
  static let worker = Command(
    name: "worker", operands: "JOBS --cache DIR [--once | --drain]",
    summary: "Consumes a job directory: publishes a manifest for each job before its deadline.",
    options: [
      AnyOption(Options.cache), AnyOption(Options.once), AnyOption(Options.drain),
      AnyOption(Options.profile), AnyOption(Options.deadline), AnyOption(Options.maxDeadline),
      AnyOption(Options.grace), AnyOption(Options.keepDone), AnyOption(Options.keepOutbox),
      AnyOption(Options.parallelJobs), AnyOption(Options.cacheSize), AnyOption(Options.minFree),
      AnyOption(Options.maxDownload), AnyOption(Options.noPageFetch),
      AnyOption(Options.finishLate), AnyOption(Options.placeholder),
    ] + NetworkArguments.options + [
      AnyOption(Options.settings),
      AnyOption(Options.publicBaseURL), AnyOption(Options.keepPublished), AnyOption(Options.rules),
    ] + ProfileArguments.recipeOptions + Toolbox.options + [
      AnyOption(Options.logFormat), AnyOption(Options.logLevel),
    ],
    exitCodes: [
      .init(.done, "stopped, or done with --once or --drain, whatever the manifests say")
    ],
    run: { try await WorkerCommand($0, console: $1).run() })
}

private struct WorkerCommand {
  let arguments: Arguments
  let configuration: WorkerConfiguration

  init(_ arguments: Arguments, console: Console) throws {
    self.arguments = arguments
    configuration = try Self.configuration(arguments, console: console)
  }

  func run() async throws -> ExitCode {
    let signals = StopSignals()
    let reload = ReloadSignal(configuration.settings, log: configuration.log)
    defer { withExtendedLifetime(reload) {} }
    let worker = try await configuration.makeWorker()
    try await worker.run(
      stoppedBy: signals, grace: arguments[Options.grace], under: .current)
    configuration.log.info("the worker has ended")
    return .done
  }

  private static func configuration(
    _ arguments: Arguments, console: Console
  ) throws -> WorkerConfiguration {
    var arguments = arguments
    let jobs = try arguments.popJobs(console)
    guard let cache = arguments[Options.cache] else { throw UsageError("--cache: is missing") }
    if let extra = arguments.operands.first { throw UsageError("\(extra): unexpected operand") }
    try SeparateDirectories.check(jobs: jobs, cache: cache)
    let settings = try SettingsArguments.load(arguments, cache: cache)
    var configuration = WorkerConfiguration(
      jobs: jobs, cache: cache, decoders: Toolbox.decoders(arguments, waiting: 2),
      settings: settings,
      log: Log(level: arguments[Options.logLevel], format: arguments[Options.logFormat]))
    configuration.mode = try mode(arguments)
    configuration.parallelJobs = arguments[Options.parallelJobs]
    configuration.recipe = ProfileArguments.recipe(arguments)
    configuration.profiles = try ProfileArguments.profiles(
      arguments[Options.profile], option: "--profile", among: settings.value)
    configuration.timing = .init(
      usual: arguments[Options.deadline], most: arguments[Options.maxDeadline])
    configuration.keepDone = arguments[Options.keepDone]
    configuration.keepOutbox = arguments[Options.keepOutbox]
    configuration.cacheSize = arguments[Options.cacheSize]
    configuration.minFree = arguments[Options.minFree]
    configuration.maxDownload = arguments[Options.maxDownload]
    configuration.rules = arguments[Options.rules]
    configuration.finishesLate = arguments[Options.finishLate]
    configuration.placeholder = try arguments.existingFile(Options.placeholder)
    configuration.readsPages = !arguments[Options.noPageFetch]
    configuration.network = try NetworkArguments.network(arguments, console, cache: cache)
    configuration.publicObjects = try publicObjects(arguments)
    return configuration
  }

  private static func mode(_ arguments: Arguments) throws(UsageError) -> WorkerMode {
    switch (arguments[Options.once], arguments[Options.drain]) {
    case (false, false): .untilStopped
    case (true, false): .once
    case (false, true): .drain
    case (true, true): try arguments.prevails(Options.once, over: Options.drain) ? .once : .drain
    }
  }

  private static func publicObjects(
    _ arguments: Arguments
  ) throws(UsageError) -> PublicObjects? {
    guard let base = arguments[Options.publicBaseURL] else { return nil }
    do throws(PublicObjects.UnusableBase) {
      return try PublicObjects(base: base, keep: arguments[Options.keepPublished])
    } catch {
      throw UsageError("--public-base-url: bad value '\(error.shown)': \(error.reason)")
    }
  }
}
