import TestSupport
import Testing

/// The coded bytes of every sound and film stream, hashed by ffmpeg; ADTS headers taken off. Or what
/// they are decoded to.
struct StreamHashes: Equatable {
  let lines: [Substring]

  init(_ path: String, decoded: Bool = false) async throws {
    let isADTS = path.hasSuffix(".aac")
    let outcome = try await Command.tool(
      "ffmpeg",
      ["-v", "error", "-i", path, "-map", "0:V?", "-map", "0:a?"]
        + (decoded ? [] : ["-c", "copy"]) + (isADTS && !decoded ? ["-bsf:a", "aac_adtstoasc"] : [])
        + ["-f", "streamhash", "-"]
    ).run()
    try #require(outcome.errorText == "", "\(outcome.errorText)")
    lines = outcome.lines
  }
}

extension ReferenceProbe {
  /// What ffmpeg has to say of a file that it decodes from end to end, numbers left out.
  static func complaints(_ path: String) async throws -> Set<String> {
    let outcome = try await Command.tool(
      "ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"]
    ).run()
    return Set(
      outcome.errorText.split(separator: "\n").map { line in
        String(line.replacing(/0x[0-9a-f]+|\d+/, with: "#"))
      })
  }

  /// Whether ffmpeg reads a file from end to end without a word.
  static func accepts(_ path: String) async throws -> Bool {
    let outcome = try await Command.tool(
      "ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"]
    ).run()
    return outcome.ending == .exited(0) && outcome.errorText == ""
  }
}
