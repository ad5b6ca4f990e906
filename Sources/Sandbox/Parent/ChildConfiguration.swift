internal import Glibc

/// Where the children are, how many wait, and how strictly they must be confined.
package struct ChildConfiguration: Sendable {
  /// Directories that may hold the executables; the first that has one wins.
  package var directories: [String]
  package var mode: SandboxMode
  /// Children kept ready for the next job, once a family has been used or prepared. 0 starts one
  /// only when a job has come.
  package var waiting: [ChildFamily: Int]
  /// Children of all families alive at a time; jobs beyond it queue, earliest deadline first.
  package var maxChildren: Int
  /// Whether children write to the parent's standard error, for debugging; else to /dev/null.
  package var showsStandardError: Bool

  package init(
    directories: [String] = ChildConfiguration.standardDirectories,
    mode: SandboxMode = .required,
    waiting: [ChildFamily: Int] = [:],
    maxChildren: Int = 32,
    showsStandardError: Bool = false
  ) {
    self.directories = directories
    self.mode = mode
    self.waiting = waiting
    self.maxChildren = max(1, maxChildren)
    self.showsStandardError = showsStandardError
  }

  /// Beside the running executable, then where an installation puts them.
  package static var standardDirectories: [String] {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe buffer.withUnsafeMutableBytes { bytes -> Int in
      guard let start = bytes.baseAddress else { return -1 }
      return unsafe readlink("/proc/self/exe", start, bytes.count)
    }
    guard count > 0,
      let path = String(validating: buffer[..<count], as: UTF8.self),
      let slash = path.lastIndex(of: "/")
    else { return [] }
    let directory = String(path[..<slash])
    return [directory, "\(directory)/../libexec/wirephoto"]
  }

  /// The family's executable; nil where no directory has it.
  func executable(of family: ChildFamily) -> String? {
    directories.lazy.map { "\($0)/\(family.executableName)" }
      .first { path in unsafe access(path, X_OK) == 0 }
  }
}
