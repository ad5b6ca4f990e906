import Foundation
import TestSupport
import Testing

@Suite struct ImportTests {
  /// The Swift files of Sources/, relative to it.
  static func swiftFiles() throws -> [String] {
    try Project.files(under: "Sources").filter { $0.hasSuffix(".swift") }
  }

  static func source(_ file: String) throws -> SourceText {
    let bytes = try FileBytes.read(Project.path("Sources/\(file)"))
    return SourceText(String(decoding: bytes, as: UTF8.self))
  }

  @Test func `Every import follows an arrow of the design`() throws {
    for file in try Self.swiftFiles() {
      let module = String(file.prefix { $0 != "/" })
      let permitted = try #require(
        ModuleArrows.permitted(in: module), "\(module) has no row in ModuleArrows")
      for name in try Self.source(file).imports {
        #expect(permitted.contains(name), "\(file) imports \(name)")
      }
    }
  }

  @Test func `The arrows run downward`() throws {
    // Each module once everything it may import is done: a circle never is.
    var settled = Set(ModuleArrows.allowed.values.joined()).subtracting(ModuleArrows.allowed.keys)
    var waiting = ModuleArrows.allowed
    while !waiting.isEmpty {
      let ready = waiting.filter { $0.value.isSubset(of: settled) }.keys
      try #require(!ready.isEmpty, "a circle among \(waiting.keys.sorted())")
      settled.formUnion(ready)
      for module in ready { waiting[module] = nil }
    }
  }

  @Test func `Media imports nothing and is safe throughout`() throws {
    let files = try Self.swiftFiles().filter { $0.hasPrefix("Media/") }
    #expect(files.count > 10)
    for file in files {
      let source = try Self.source(file)
      #expect(source.imports.isEmpty, "\(file)")
      #expect(!source.uses("unsafe"), "\(file)")
    }
  }

  @Test func `C headers are named by the C targets alone`() throws {
    for file in try Project.files(under: "Sources") {
      let folder = String(file.prefix { $0 != "/" })
      guard !ModuleArrows.cTargets.contains(folder) else { continue }
      #expect(file.hasSuffix(".swift") || file.hasSuffix(".md"), "\(file) is no Swift")
      #expect(!(try Self.source(file).code.contains { $0.contains("#include") }), "\(file)")
    }
  }

  @Test func `The system shims know no library`() throws {
    let libraries = try headers(under: "Sources/CLibraries").filter { !$0.hasPrefix("std") }
    #expect(libraries.contains("png.h"))
    let used = try headers(under: "Sources/CSystemShims")
    #expect(used.contains("sys/mman.h"))
    #expect(used.intersection(libraries).subtracting(["sys/types.h", "errno.h"]).isEmpty)
  }

  /// The headers in angle brackets that the files of a folder include.
  private func headers(under folder: String) throws -> Set<String> {
    var names: Set<String> = []
    for file in try Project.files(under: folder) {
      let text = String(
        decoding: try FileBytes.read(Project.path("\(folder)/\(file)")), as: UTF8.self)
      for line in text.split(separator: "\n") where line.hasPrefix("#include <") {
        names.insert(String(line.dropFirst("#include <".count).prefix { $0 != ">" }))
      }
    }
    return names
  }

  @Test(arguments: [
    ("import Media", ["Media"]),
    ("  package import Files", ["Files"]),
    ("@preconcurrency internal import CCurl // why", ["CCurl"]),
    ("import struct Foundation.Data", ["Foundation"]),
    ("// import Media", []),
    ("let important = 1", []),
    ("an important import of words", []),
  ])
  func `Imports are read in every form`(line: String, expected: [String]) {
    #expect(SourceText(line).imports == expected)
  }

  @Test func `A word is found in code and not in comments`() {
    #expect(SourceText("let a = unsafe b").uses("unsafe"))
    #expect(!SourceText("let a = b // unsafe").uses("unsafe"))
    #expect(!SourceText("let unsafely = b").uses("unsafe"))
  }
}
