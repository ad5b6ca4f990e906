import Foundation
import TestSupport
import Testing

/// What `wirephoto render --format png` makes of a file at its own size, or in a box that is smaller.
struct Rendering {
  /// Nil where the file was refused.
  var file: String?
  var problems: [String]

  /// Renders files by one call, whatever their names, into `output` or a folder of the test's.
  @discardableResult
  static func run(
    _ paths: [String], in folder: borrowing TemporaryDirectory, format: String = "png",
    box: String = "1320x960", to output: String? = nil
  ) async throws -> [Rendering] {
    let links = try link(paths, in: try folder.makeFolder("in-\(format)"))
    let output = try output ?? folder.makeFolder("out")
    let outcome = try await Command.built(
      "wirephoto",
      [
        "render", "--size", box, "--format", format, "--max-bytes", "0", "--json",
        "-o", output + "/{name}.\(format)",
      ] + links
    ).run(limit: .seconds(1800))
    try #require(outcome.lines.count == paths.count, "\(outcome.errorText.suffix(2000))")
    return try outcome.lines.map { line in
      let report = try JSONDecoder().decode(RenderTests.Report.self, from: Data(line.utf8))
      return Rendering(file: report.files.first?.file, problems: report.problems.map(\.code))
    }
  }

  private static func link(_ paths: [String], in links: String) throws -> [String] {
    try paths.enumerated().map { index, path in
      let link = "\(links)/\(index).picture"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      return link
    }
  }
}
