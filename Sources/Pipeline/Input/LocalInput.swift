package import Files
internal import Glibc
package import Media

/// An input that could not be opened or read.
package enum InputFailure: Error, Sendable, Hashable {
  case system(SystemCallFailure)
  case notAFile(String)
  case tooLarge(limit: Int)
}

extension InputFailure: CustomStringConvertible {
  /// The reason alone: whoever tells it names the input.
  package var description: String {
    switch self {
    case .system(let failure): "cannot be read: \(failure.reason)"
    case .notAFile: "is no file"
    case .tooLarge(let limit): "larger than \(ByteCount.text(limit)), the limit"
    }
  }
}

/// A media file opened once: its descriptor, its length, and the format its first bytes tell.
package final class LocalInput: Sendable {
  /// Read-only or sealed; children are given this descriptor.
  package let descriptor: Descriptor
  package let byteCount: Int
  package let format: MediaFormat

  /// How many first bytes a format is told from.
  package static let headLength = 4096

  /// Takes over an open file and tells its format from its first bytes.
  package init(adopting descriptor: consuming Descriptor) throws(SystemCallFailure) {
    byteCount = try descriptor.size()
    let head = try descriptor.read(at: 0, count: min(byteCount, Self.headLength))
    format = MediaFormat.sniff(head)
    self.descriptor = descriptor
  }

  /// Opens a path, or reads standard input to its end where the path is `-`. What is no regular
  /// file is held in memory, at most `limit` bytes of it.
  package static func open(_ path: String, limit: Int) throws(InputFailure) -> LocalInput {
    let file = try opening { () throws(SystemCallFailure) in try openFile(path) }
    let status = try opening { () throws(SystemCallFailure) in try file.fileStatus() }
    guard !status.isDirectory else { throw .notAFile(path) }
    if status.isRegularFile, path != "-" { return try adopting(file) }
    let held = try opening { () throws(SystemCallFailure) in try spool(file, limit: limit) }
    switch consume held {
    case .some(let held): return try adopting(held)
    case .none: throw .tooLarge(limit: limit)
    }
  }

  /// All bytes of a file, or of standard input where the path is `-`.
  package static func bytes(of path: String, limit: Int) throws(InputFailure) -> [UInt8] {
    let bytes = try opening { () throws(SystemCallFailure) in
      let file = try openFile(path)
      return try file.readToEnd(limit: limit)
    }
    guard let bytes else { throw .tooLarge(limit: limit) }
    return bytes
  }

  private static func adopting(_ file: consuming Descriptor) throws(InputFailure) -> LocalInput {
    do throws(SystemCallFailure) {
      return try LocalInput(adopting: file)
    } catch {
      throw .system(error)
    }
  }

  private static func opening<Value: ~Copyable>(
    _ body: () throws(SystemCallFailure) -> Value
  ) throws(InputFailure) -> Value {
    do {
      return try body()
    } catch {
      throw .system(error)
    }
  }

  private static func openFile(_ path: String) throws(SystemCallFailure) -> Descriptor {
    guard path == "-" else { return try Descriptor.open(path, flags: O_RDONLY) }
    // A duplicate, so that standard input itself stays open when this one is closed.
    return Descriptor(adopting: try retryingOnInterrupt("dup") { dup(STDIN_FILENO) })
  }

  private static func spool(
    _ file: borrowing Descriptor, limit: Int
  ) throws(SystemCallFailure) -> Descriptor? {
    guard let bytes = try file.readToEnd(limit: limit) else { return nil }
    return try MemoryFile.sealed("input", holding: bytes)
  }
}
