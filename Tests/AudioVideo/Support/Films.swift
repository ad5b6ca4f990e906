import TestSupport
import Testing

/// Films that ffmpeg makes of the samples, for what no sample shows.
struct MadeFilm: CustomStringConvertible, Sendable {
  /// With its extension, by which ffmpeg chooses the container.
  let name: String
  /// What stands between the input and the output.
  let options: [String]
  var input = "video/h264.mp4"

  var description: String { name }

  /// An encoder may get a twentieth of a busy machine.
  private static let patience = Duration.seconds(300)

  init(_ name: String, _ options: String, input: String = "video/h264.mp4") {
    self.name = name
    self.options = options.split(separator: " ").map(String.init)
    self.input = input
  }

  /// Makes the film in a folder: its path.
  func make(in folder: borrowing TemporaryDirectory) async throws -> String {
    let path = folder.path(of: name)
    let outcome = try await Command.tool(
      "ffmpeg",
      ["-v", "error", "-i", Project.path("media-samples/\(input)")] + options + ["-y", path]
    ).run(limit: Self.patience)
    try #require(outcome.ending == .exited(0), "\(name): \(outcome.errorText)")
    return path
  }

  /// A film that a filter draws.
  static func drawn(
    _ filter: String, _ options: String, name: String, in folder: borrowing TemporaryDirectory
  ) async throws -> String {
    let path = folder.path(of: name)
    let outcome = try await Command.tool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", filter]
        + options.split(separator: " ").map(String.init) + ["-y", path]
    ).run(limit: Self.patience)
    try #require(outcome.ending == .exited(0), "\(name): \(outcome.errorText)")
    return path
  }
}
