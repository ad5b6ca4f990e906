package import Files
internal import Foundation
internal import Glibc

/// A directory of its own for one test, removed with all it holds when its owner ends. What a process
/// leaves that is killed, or ends before its owners do, goes when the next begins.
package struct TemporaryDirectory: ~Copyable {
  package let path: String
  /// Held as long as the owner lives: tells the dead's directories from the living's.
  private let lock: Descriptor

  package static let prefix = "wirephoto-test."

  package init() throws(SystemCallFailure) {
    _ = Self.sweptOnce
    let path = try Self.make()
    let lock = try Self.locked(path)
    self.path = path
    self.lock = lock
  }

  /// The corresponding C function is `mkdtemp`.
  private static func make() throws(SystemCallFailure) -> String {
    var template = Array("\(base)/\(prefix)XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
    }
    guard made else { throw SystemCallFailure("mkdtemp", path: base) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func locked(_ path: String) throws(SystemCallFailure) -> Descriptor {
    let folder = try Descriptor.open(path, flags: O_RDONLY | O_DIRECTORY)
    guard try folder.tryLock() else { throw SystemCallFailure("flock", path: path) }
    return folder
  }

  private static let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
  private static let sweptOnce: Void = removeOrphans(in: base)

  /// Removes what the dead left in a folder. What is younger than a minute may not be locked yet.
  package static func removeOrphans(in base: String, olderThan age: Int64 = 60_000_000_000) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let path = "\(base)/\(name)"
      guard
        let folder = try? Descriptor.open(path, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
        let status = try? folder.fileStatus(), status.owner == geteuid(),
        Int64(Date().timeIntervalSince1970 * 1e9) - status.changed >= age,
        (try? folder.tryLock()) == true
      else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of `name` in here, whether it exists or not.
  package func path(of name: String) -> String { "\(path)/\(name)" }

  /// Writes a file and returns its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(of: name)))
    return path(of: name)
  }

  /// Writes a text file and returns its path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// The bytes of a file in here.
  package func read(_ name: String) throws -> [UInt8] {
    try FileBytes.read(path(of: name))
  }

  /// The names in here, or in a folder of it, sorted; dot-files too.
  package func names(in folder: String = ".") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(of: folder)).sorted()
  }

  /// Makes a folder and returns its path.
  @discardableResult
  package func makeFolder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: path(of: name), withIntermediateDirectories: true)
    return path(of: name)
  }
}

/// Whole files, for tests.
package enum FileBytes {
  package static func read(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// At most `count` bytes from the beginning.
  package static func head(of path: String, count: Int = 4096) throws -> [UInt8] {
    try Descriptor.open(path, flags: O_RDONLY).read(at: 0, count: count)
  }
}
