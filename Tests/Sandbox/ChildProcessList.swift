import Foundation
import Glibc

/// The running children of one test, found by the folder in their command line.
enum ChildProcessList {
  static func ids(in folder: String) throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name in
      guard let id = Int32(name),
        let line = try? String(contentsOfFile: "/proc/\(id)/cmdline", encoding: .utf8)
      else { return nil }
      return line.hasPrefix(folder) ? id : nil
    }
  }
}
