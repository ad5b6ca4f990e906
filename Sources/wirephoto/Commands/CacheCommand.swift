import Files
import Media
import Pipeline

extension Command {
  static let cache = Command(
    name: "cache", operands: "stats|list|path|verify|prune|purge --cache DIR [URL…]",
    summary: "Looks after the cache.",
    verbs: verbs,
    options: [
      AnyOption(Options.cache), AnyOption(Options.cacheSize), AnyOption(Options.minFree),
      AnyOption(Options.host), AnyOption(Options.all), AnyOption(Options.json),
    ],
    exitCodes: [
      .init(.done, "done"), .init(.inputFailed, "an address is not known, or a file was damaged"),
    ],
    run: { arguments, console in try CacheCommand(arguments, console: console).run() })

  private static let verbs = [
    Verb(
      name: "stats", operands: "--cache DIR", summary: "Counts and sizes of what the cache holds.",
      options: [AnyOption(Options.cache), AnyOption(Options.json)]),
    Verb(
      name: "list", operands: "--cache DIR [--host HOST]",
      summary: "The addresses that the cache has something of.",
      details: """
        A line each: state, format, bytes, last use, address. A use is noted once an hour, as the full
        hour it falls in: lastUsed is the time rounded down to the hour.
        """,
      options: [AnyOption(Options.cache), AnyOption(Options.host), AnyOption(Options.json)]),
    Verb(
      name: "path", operands: "--cache DIR URL…", summary: "The files made from addresses.",
      options: [AnyOption(Options.cache), AnyOption(Options.json)],
      exitCodes: [
        .init(.done, "done"), .init(.inputFailed, "an address is not in the cache"),
      ]),
    Verb(
      name: "verify", operands: "--cache DIR",
      summary: "Checks every file against its name, and sets damaged ones aside.",
      details: "Names that are none of the cache's are counted as foreign, and left alone.",
      options: [AnyOption(Options.cache), AnyOption(Options.json)],
      exitCodes: [.init(.done, "every file is whole"), .init(.inputFailed, "a file was damaged")]),
    Verb(
      name: "prune", operands: "--cache DIR [--cache-size SIZE] [--min-free SIZE]",
      summary: "Evicts now, down to the limits.",
      options: [
        AnyOption(Options.cache), AnyOption(Options.cacheSize), AnyOption(Options.minFree),
        AnyOption(Options.json),
      ]),
    Verb(
      name: "purge", operands: "--cache DIR URL…|--host HOST|--all",
      summary: "Forgets addresses, a host or everything, with all that was made from them.",
      details: """
        Of an answer that may not be kept (no-store) the cache does not know the address: a picture
        that was published of it stays for --keep-published. erase its job, or purge --all.
        """,
      options: [
        AnyOption(Options.cache), AnyOption(Options.host), AnyOption(Options.all),
        AnyOption(Options.json),
      ],
      exitCodes: [
        .init(.done, "done"), .init(.inputFailed, "an address or host is not known"),
      ]),
  ]
}

private struct CacheCommand {
  private enum Verb: String, CaseIterable {
    case stats, list, path, verify, prune, purge
  }

  let arguments: Arguments
  let console: Console
  let care: CacheCare
  private let verb: Verb

  init(_ arguments: Arguments, console: Console) throws {
    var arguments = arguments
    verb = try arguments.popVerb(Verb.self, of: "cache")
    guard let directory = arguments[Options.cache] else { throw UsageError("--cache: is missing") }
    try Self.check(arguments, verb)
    if let obstacle = FileKind.obstacle("\(directory)/objects") {
      throw EnvironmentError("cache \(directory): \(obstacle.reason)")
    }
    guard FileKind.isFolder("\(directory)/objects") else {
      throw EnvironmentError("cache \(directory): there is no cache here; a worker makes one")
    }
    care = try CacheCare(
      directory: directory, maxBytes: arguments[Options.cacheSize],
      minFree: arguments[Options.minFree])
    self.arguments = arguments
    self.console = console
  }

  private static func check(_ arguments: Arguments, _ verb: Verb) throws(UsageError) {
    let hasHost = arguments[Options.host] != nil
    let targets = [!arguments.operands.isEmpty, hasHost, arguments[Options.all]].count { $0 }
    switch verb {
    case .path where arguments.operands.isEmpty: throw UsageError("cache path: needs an address")
    case .purge where targets != 1:
      throw UsageError("cache purge: needs addresses, --host or --all, and one of them only")
    case .stats, .list, .verify, .prune:
      if let extra = arguments.operands.first { throw UsageError("\(extra): unexpected operand") }
    default: break
    }
  }

  func run() throws -> ExitCode {
    switch verb {
    case .stats: tell(try care.stats())
    case .list: try list()
    case .path: return try path()
    case .verify: return try verify()
    case .prune: tell(try care.prune())
    case .purge: return try purge()
    }
    return .done
  }

  private func tell(_ report: JSONValue) {
    console.result(arguments[Options.json] ? report.text : report.lines)
  }

  private func list() throws {
    try care.forEachSource(host: arguments[Options.host]) { source in
      if arguments[Options.json] {
        console.result(source.text)
      } else {
        let fields = ["state", "format", "bytes", "lastUsed", "url"].map { name in
          source.object?[name].map { $0.string ?? $0.text } ?? "-"
        }
        console.result(fields.joined(separator: "  "))
      }
    }
  }

  /// 1 when an address is not known.
  private func path() throws -> ExitCode {
    var code = ExitCode.done
    for url in arguments.operands {
      let paths = try care.paths(of: url)
      if arguments[Options.json] {
        let report: JSONValue = ["url": .string(url), "paths": JSONValue(paths)]
        console.result(report.text)
      } else {
        for path in paths { console.result(path) }
      }
      if paths.isEmpty {
        console.note("\(url): not in the cache")
        code = .inputFailed
      }
    }
    return code
  }

  private func verify() throws -> ExitCode {
    var progress = ProgressLine("files")
    let total = try care.fileCount()
    let (report, isClean) = try care.verify { progress.show($0, of: max(total, $0)) }
    progress.clear()
    tell(report)
    return isClean ? .done : .inputFailed
  }

  private func purge() throws -> ExitCode {
    if arguments[Options.all] {
      tell(try care.purge(.all))
      return .done
    }
    if let host = arguments[Options.host] { return try purge(.host(host), named: host) }
    var code = ExitCode.done
    for url in arguments.operands where try purge(.url(url), named: url) != .done {
      code = .inputFailed
    }
    return code
  }

  /// 1 where nothing was known of it.
  private func purge(_ what: CacheCare.Purge, named name: String) throws -> ExitCode {
    let report = try care.purge(what)
    tell(report)
    let counts = ["sources", "objects", "failures"].compactMap { report.object?[$0]?.int }
    guard counts.allSatisfy({ $0 == 0 }) else { return .done }
    console.note("\(name): not in the cache")
    return .inputFailed
  }
}
