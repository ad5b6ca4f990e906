import Files
import Glibc
import Media
import Pipeline

extension Command {
  static let render = Command(
    name: "render", operands: "FILE|-… -o PATH",
    summary: "Makes bounded pictures from local files.",
    options: [
      AnyOption(Options.output), AnyOption(Options.profile), AnyOption(Options.size),
    ] + ProfileArguments.recipeOptions + [
      AnyOption(Options.partial), AnyOption(Options.force), AnyOption(Options.json),
      AnyOption(Options.maxInput), AnyOption(Options.settings),
    ] + Toolbox.options,
    exitCodes: [
      .init(.done, "every picture was written"),
      .init(.inputFailed, "an input gave no picture, or its output exists"),
    ],
    run: { try await RenderCommand($0, console: $1).run() })
}

private struct RenderCommand {
  let arguments: Arguments
  let console: Console
  let inputs: [String]
  let profiles: [RenditionProfile]
  let plan: OutputPlan

  init(_ arguments: Arguments, console: Console) throws {
    guard !arguments.operands.isEmpty else {
      throw UsageError("render: needs a file, or - for stdin")
    }
    guard let output = arguments[Options.output] else { throw UsageError("--output: is missing") }
    self.arguments = arguments
    self.console = console
    inputs = arguments.operands
    profiles = try Self.profiles(arguments)
    plan = try OutputPlan(output, inputs: inputs, profiles: profiles)
    try plan.check(arguments[Options.format].outputFormat)
  }

  private static func profiles(_ arguments: Arguments) throws -> [RenditionProfile] {
    let isBoxed = try arguments.prevails(Options.size, over: Options.profile)
    guard isBoxed, let box = arguments[Options.size] else {
      let settings = try SettingsArguments.load(arguments, cache: nil)
      return try ProfileArguments.profiles(
        arguments[Options.profile], option: "--profile", among: settings.value)
    }
    var profile = RenditionProfile.iphone
    profile.name = "\(box)"
    profile.box = box
    return [profile]
  }

  func run() async throws -> ExitCode {
    if let folder = plan.folderToMake { unsafe mkdir(folder, 0o777) }
    for folder in plan.folders(inputs, profiles) { try Self.checkWritable(folder) }
    let toolbox = try Toolbox(arguments, waiting: inputs.count > 1 ? 1 : 0)
    let renderer = LocalRenderer(
      children: toolbox.children, recipe: recipe, profiles: profiles,
      byteLimit: arguments[Options.maxInput])
    var code = ExitCode.done
    var unavailable: String?
    var progress = ProgressLine("pictures")
    var done = 0
    await inOrder(inputs, width: toolbox.width + 1) { input in
      await outcome(of: input, by: renderer)
    } deliver: { outcome in
      progress.clear()
      tell(outcome)
      if !outcome.isWhole { code = .inputFailed }
      unavailable = unavailable ?? outcome.unavailable
      done += 1
      progress.show(done, of: inputs.count)
    }
    progress.clear()
    if let unavailable { throw EnvironmentError(unavailable) }
    return code
  }

  /// Before any work; the corresponding C function is `access`.
  private static func checkWritable(_ folder: String) throws(EnvironmentError) {
    let isThere = unsafe access(folder, W_OK | X_OK) == 0
    let failure = SystemCallFailure("access", path: folder)
    guard isThere, FileKind.isFolder(folder) else {
      let reason = isThere ? "\(folder): no folder" : "\(failure)"
      throw EnvironmentError("--output: nothing can be written there: \(reason)")
    }
  }

  private var recipe: RenditionRecipe {
    var recipe = ProfileArguments.recipe(arguments)
    recipe.acceptsPartial = arguments[Options.partial]
    if recipe.outputFormat == .auto, let asked = plan.formatOfExtension {
      recipe.outputFormat = asked
    }
    return recipe
  }

  private func outcome(of input: String, by renderer: LocalRenderer) async -> RenderOutcome {
    var outcome = RenderOutcome(input: input)
    do throws(UnusableDecoders) {
      switch try await renderer.render(input) {
      case .failure(.unreadable(let failure)): outcome.unreadable = failure
      case .failure(.problem(let problem)): outcome.problems = [problem]
      case .success(let result):
        outcome.problems = result.problems
        for rendition in result.renditions { write(rendition, of: result, to: &outcome) }
      }
    } catch {
      outcome.unavailable = error.reason
    }
    outcome.isWhole = outcome.files.count == profiles.count
    return outcome
  }

  private func write(
    _ rendition: RenderReply.Rendition, of result: LocalRendering, to outcome: inout RenderOutcome
  ) {
    let profile = profiles[rendition.requestIndex]
    let path = plan.file(input: outcome.input, profile: profile, format: rendition.format)
    do throws(SystemCallFailure) {
      let bytes = try result.bytes(of: rendition)
      guard !plan.isStandardOutput else { return try writeOut(bytes, rendition, &outcome) }
      if plan.isSpecial {
        try Descriptor.open(path, flags: O_WRONLY).write(bytes)
      } else {
        try NewFile.write(bytes, to: path, overwriting: arguments[Options.force])
      }
      outcome.files.append(.init(path: path, profile: profile.name, rendition: rendition))
    } catch {
      if error.number == EEXIST {
        outcome.existing.append(path)
        return
      }
      let code: Problem.Code = error.isDiskFull ? .diskFull : .noPicture
      outcome.problems.append(Problem(.publish, code, "\(error)"))
      if [ENOENT, ENOTDIR, EACCES, EROFS].contains(error.number) {
        outcome.unavailable = "--output: \(path) cannot be written: \(error)"
      }
    }
  }

  private func writeOut(
    _ bytes: [UInt8], _ rendition: RenderReply.Rendition, _ outcome: inout RenderOutcome
  ) throws(SystemCallFailure) {
    try console.writeBytes(bytes)
    outcome.files.append(
      .init(path: "-", profile: profiles[rendition.requestIndex].name, rendition: rendition))
  }

  private func tell(_ outcome: RenderOutcome) {
    if plan.isStandardOutput {
      // The picture itself is the result.
    } else if arguments[Options.json] {
      console.result(outcome.json.text)
    } else {
      for file in outcome.files { console.result(file.path) }
    }
    for path in outcome.existing {
      console.note(
        "\(FileName.shown(outcome.input)): \(FileName.shown(path)) exists; --force overwrites")
    }
    if let reason = outcome.unreadable {
      console.note("\(FileName.shown(outcome.input)): \(reason)")
    }
    for problem in outcome.problems where problem.severity != .note {
      console.note("\(outcome.input): \(problem.code.rawValue): \(problem.message)")
    }
  }
}
