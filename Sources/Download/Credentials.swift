package import Files
internal import Glibc

/// Names and passwords for private hosts, from a netrc file.
package struct Credentials: Sendable {
  /// What one host gets. Without a login the password is a bearer token (RFC 6750).
  package struct Entry: Sendable, Hashable {
    package var login: String?
    package var password: String

    package init(login: String?, password: String) {
      self.login = login
      self.password = password
    }
  }

  /// Why a file is not used; each is the environment's fault.
  package enum Failure: Error, Sendable, Hashable {
    /// Writable by the group or readable by others; the permission bits.
    case exposed(path: String, mode: Int)
    case unreadable(SystemCallFailure)
    case tooLarge(limit: Int)
    case malformed(line: Int)
  }

  private var entries: [String: Entry] = [:]

  package static let sizeLimit = 1_000_000

  /// Reads a file that others cannot read and the group cannot write.
  package init(path: String) throws(Failure) {
    let (mode, bytes) = try Self.read(path)
    guard mode & 0o026 == 0 else { throw .exposed(path: path, mode: mode) }
    guard let bytes else { throw .tooLarge(limit: Self.sizeLimit) }
    try self.init(text: String(decoding: bytes, as: UTF8.self))
  }

  /// Reads netrc text (curl's and ftp's form); `default`, which would go to any host, and macros are
  /// passed over.
  package init(text: String) throws(Failure) {
    var reader = NetrcReader(text)
    while let (host, entry) = try reader.next() {
      // The first entry of a host counts.
      let name = HostName.withoutRoot(host)
      entries[name] = entries[name] ?? entry
    }
  }

  /// What `host` gets; nil for one that is not listed by exactly this name, the root's dot aside.
  package func entry(for host: String) -> Entry? {
    entries[HostName.withoutRoot(host.lowercased())]
  }

  private static func read(_ path: String) throws(Failure) -> (mode: Int, bytes: [UInt8]?) {
    do throws(SystemCallFailure) {
      let file = try Descriptor.open(path, flags: O_RDONLY)
      return (try file.permissions(), try file.readToEnd(limit: sizeLimit))
    } catch {
      throw .unreadable(error)
    }
  }
}

extension Credentials: CustomStringConvertible, CustomReflectable {
  /// The hosts alone: a secret must not reach a log by accident.
  package var description: String { "credentials for \(entries.keys.sorted())" }

  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Credentials.Entry: CustomStringConvertible, CustomReflectable {
  package var description: String { "credential" }

  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Credentials.Failure {
  /// One line for a person, the path left out.
  package var message: String {
    switch self {
    case .exposed(_, let mode):
      "mode \(String(mode, radix: 8)) lets others read or the group write; use 600 or 640"
    case .unreadable(let failure): failure.description
    case .tooLarge(let limit): "larger than \(limit) bytes"
    case .malformed(let line): "line \(line) cannot be read"
    }
  }
}
