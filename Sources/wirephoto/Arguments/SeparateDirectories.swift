import Files
import Glibc
import Pipeline

/// A job directory and a cache, of which neither may be where the other's files are: each removes
/// what it does not know in its own folders.
struct SeparateDirectories {
  /// Throws where they are one, or one lies in a folder that is the other's.
  static func check(jobs: String, cache: String) throws(UsageError) {
    let (jobs, theirs) = (components(of: jobs), components(of: cache))
    if jobs == theirs { throw UsageError("--cache: is the job directory; it needs its own") }
    if let folder = folder(JobDirectory.folders, of: jobs, holding: theirs) {
      throw UsageError("--cache: lies in the job directory's own \(folder)/")
    }
    if let folder = folder(CacheCare.folders, of: theirs, holding: jobs) {
      throw UsageError("JOBS: lies in the cache's own \(folder)/")
    }
  }

  private static func folder(
    _ folders: [String], of outer: [String], holding inner: [String]
  ) -> String? {
    guard inner.count > outer.count, inner.starts(with: outer) else { return nil }
    return folders.first { $0 == inner[outer.count] }
  }

  /// The names on the way to a path, links resolved as far as it exists.
  private static func components(of path: String) -> [String] {
    var missing: [String] = []
    var path = path.hasPrefix("/") ? path : "./" + path
    while true {
      if let whole = resolved(path) { return whole + missing.reversed() }
      guard let slash = path.lastIndex(of: "/") else { return missing.reversed() }
      let name = String(path[path.index(after: slash)...])
      if !name.isEmpty { missing.append(name) }
      path = String(path[..<slash])
      if path.isEmpty { return missing.reversed() }
    }
  }

  private static func resolved(_ path: String) -> [String]? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real).split(separator: "/").map(String.init)
  }
}
