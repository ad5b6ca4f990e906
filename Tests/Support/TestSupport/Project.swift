internal import Foundation
internal import Glibc

/// Where the project's own files are while its tests run.
package enum Project {
  /// The folder that holds Package.swift.
  package static let root: String = {
    var url = URL(fileURLWithPath: #filePath)
    // Tests/Support/TestSupport/Project.swift
    for _ in 0..<4 { url.deleteLastPathComponent() }
    return url.path
  }()

  /// The folder of what was built: test bundle and programs lie side by side in it, whatever the
  /// configuration and scratch path.
  package static let productsFolder: String = {
    let executable =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: executable).deletingLastPathComponent().path
  }()

  /// The path of a built program (`wirephoto-image-decoder`).
  package static func program(_ name: String) throws -> String {
    let path = "\(productsFolder)/\(name)"
    guard unsafe access(path, X_OK) == 0 else { throw MissingProgram(name: name, path: path) }
    return path
  }

  /// The files of a folder of the project, however deep, by their names relative to it.
  package static func files(under folder: String) throws -> [String] {
    let base = path(folder)
    return try FileManager.default.subpathsOfDirectory(atPath: base).filter { name in
      var isFolder: ObjCBool = false
      let exists = unsafe FileManager.default.fileExists(
        atPath: "\(base)/\(name)", isDirectory: &isFolder)
      return exists && !isFolder.boolValue
    }
  }

  /// A file of the project's tree (`Sources/Media`).
  package static func path(_ relative: String) -> String { "\(root)/\(relative)" }
}

/// A program that should have been built beside the test bundle.
package struct MissingProgram: Error {
  package let name: String
  package let path: String
}

/// A tool that the test needs from the system.
package struct MissingTool: Error {
  package let name: String
}

/// The path of a command of the system (`djpeg`); Scripts/bootstrap installs all that tests use.
package func requireTool(_ name: String) throws -> String {
  let places = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
  for place in places.split(separator: ":")
  where unsafe access("\(place)/\(name)", X_OK) == 0 {
    return "\(place)/\(name)"
  }
  throw MissingTool(name: name)
}
