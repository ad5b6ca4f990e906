import Files
import Glibc
import Media
import Pipeline

/// What the commands that decode share: confined children, and how many work at once.
struct Toolbox: Sendable {
  let children: PictureChildren
  let width: Int

  static let options = [
    AnyOption(Options.sandbox), AnyOption(Options.decoders), AnyOption(Options.maxPixels),
    AnyOption(Options.maxFrames),
  ]

  /// `waiting` children are kept ready.
  init(_ arguments: Arguments, waiting: Int) throws(SystemCallFailure) {
    let options = Self.decoders(arguments, waiting: waiting)
    width = options.parallel
    children = try PictureChildren(options)
  }

  /// `--decoders` at once, or one for each core.
  static func decoders(_ arguments: Arguments, waiting: Int) -> DecoderOptions {
    let asked = arguments[Options.decoders]
    return DecoderOptions(
      requiresSandbox: arguments[Options.sandbox] == .required,
      parallel: asked > 0 ? asked : sysconf(Int32(_SC_NPROCESSORS_ONLN)), waiting: waiting)
  }

  static func limits(_ arguments: Arguments) -> DecodeLimits {
    DecodeLimits(
      maxPixels: arguments[Options.maxPixels], maxFrames: arguments[Options.maxFrames])
  }
}
