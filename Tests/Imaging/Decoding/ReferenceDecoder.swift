import Foundation
import TestSupport
import Testing

/// FFmpeg's own decoders, which share no code with the libraries that we use.
enum ReferenceDecoder {
  /// The first frame's samples, plane by plane, in one of FFmpeg's pixel formats.
  static func samples(of path: String, as pixelFormat: String) async throws -> [UInt8] {
    let outcome = try await Command.tool(
      "ffmpeg",
      [
        "-v", "error", "-noautorotate", "-i", path, "-frames:v", "1", "-sws_flags",
        "accurate_rnd+full_chroma_int", "-f", "rawvideo", "-pix_fmt", pixelFormat, "-",
      ]
    ).run()
    #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
    return outcome.output
  }
}

/// Peak signal-to-noise ratio of 8-bit samples in decibels; infinite for equal ones, nil where the
/// counts differ.
func decibels(_ ours: [UInt8], _ theirs: [UInt8]) -> Double? {
  guard ours.count == theirs.count, !ours.isEmpty else { return nil }
  var squares = 0
  for index in ours.indices {
    let difference = Int(ours[index]) - Int(theirs[index])
    squares += difference * difference
  }
  guard squares > 0 else { return .infinity }
  return 10 * log10(255 * 255 * Double(ours.count) / Double(squares))
}
