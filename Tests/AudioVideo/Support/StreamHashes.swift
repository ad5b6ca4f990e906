import TestSupport
import Testing

/// The coded bytes of every sound and film stream, hashed by ffmpeg; ADTS headers taken off.
struct StreamHashes: Equatable {
  let lines: [Substring]

  init(_ path: String) async throws {
    let isADTS = path.hasSuffix(".aac")
    let outcome = try await Command.tool(
      "ffmpeg",
      ["-v", "error", "-i", path, "-map", "0:V?", "-map", "0:a?", "-c", "copy"]
        + (isADTS ? ["-bsf:a", "aac_adtstoasc"] : []) + ["-f", "streamhash", "-"]
    ).run()
    try #require(outcome.errorText == "", "\(outcome.errorText)")
    lines = outcome.lines
  }
}

extension ReferenceProbe {
  /// Whether ffmpeg reads a file from end to end without a word.
  static func accepts(_ path: String) async throws -> Bool {
    let outcome = try await Command.tool(
      "ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"]
    ).run()
    return outcome.ending == .exited(0) && outcome.errorText == ""
  }
}
