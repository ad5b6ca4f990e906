import TestSupport
import Testing

/// What the formatter's linter does not look for.
@Suite struct HouseRuleTests {
  @Test func `No file is longer than 500 lines`() throws {
    for folder in ["Sources", "Tests", "Scripts"] {
      for file in try Project.files(under: folder) {
        let bytes = try FileBytes.read(Project.path("\(folder)/\(file)"))
        #expect(bytes.count { $0 == 0x0A } <= 500, "\(folder)/\(file)")
      }
    }
  }

  @Test func `Sources promise nothing and hide nothing`() throws {
    for file in try ImportTests.swiftFiles() {
      let code = try ImportTests.source(file).lines.joined(separator: "\n")
      for phrase in ["@unchecked Sendable", "try!", "fatalError(", "TODO", "FIXME"] {
        #expect(!code.contains(phrase), "\(file): \(phrase)")
      }
    }
  }

  /// libxml2's headers and Foundation each bring an ICU of their own, and whether the two clash is up
  /// to the order of a build.
  @Test func `No test of pages imports Foundation`() throws {
    for file in try Project.files(under: "Tests/WebPage") {
      let text = String(
        decoding: try FileBytes.read(Project.path("Tests/WebPage/\(file)")), as: UTF8.self)
      #expect(!text.contains("import Foundation"), "\(file)")
    }
  }
}
