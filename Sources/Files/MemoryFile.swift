internal import CSystemShims
internal import Glibc

/// Files without a name or a disk, handed to child processes.
package enum MemoryFile {
  /// An empty file in memory that may be sealed. The corresponding C function is `memfd_create`.
  package static func create(_ name: String) throws(SystemCallFailure) -> Descriptor {
    Descriptor(
      adopting: try retryingOnInterrupt("memfd_create") { unsafe csystem_memory_file(name) })
  }

  /// A file in memory that holds `bytes` and can never change again.
  package static func sealed(
    _ name: String, holding bytes: borrowing RawSpan
  ) throws(SystemCallFailure) -> Descriptor {
    let file = try create(name)
    try file.write(bytes)
    try seal(file)
    return file
  }

  /// A file in memory that holds `bytes` and can never change again.
  package static func sealed(
    _ name: String, holding bytes: [UInt8]
  ) throws(SystemCallFailure) -> Descriptor {
    try unsafe sealed(name, holding: bytes.span.bytes)
  }

  /// Makes an open descriptor that of a file in memory, which holds the first `count` bytes of the
  /// file that it was. The corresponding C function is `dup3`.
  package static func replace(
    _ number: Int32, keeping count: Int
  ) throws(SystemCallFailure) {
    let pieceLength = 1 << 20
    let memory = try create("file")
    let before = Descriptor(
      adopting: try retryingOnInterrupt("dup") { fcntl(number, F_DUPFD_CLOEXEC, 3) })
    var done = 0
    while done < count {
      let piece = try before.read(at: done, count: min(pieceLength, count - done))
      guard !piece.isEmpty else { throw SystemCallFailure("pread", number: EIO) }
      try memory.write(piece)
      done += piece.count
    }
    let source = memory.number
    _ = try retryingOnInterrupt("dup3") { csystem_replace(source, number) }
  }

  /// Forbids every further change of content and size (F_SEAL_WRITE, GROW, SHRINK, SEAL).
  package static func seal(_ file: borrowing Descriptor) throws(SystemCallFailure) {
    let number = file.number
    let seals = csystem_seal_write | csystem_seal_grow | csystem_seal_shrink | csystem_seal_seal
    _ = try retryingOnInterrupt("fcntl(F_ADD_SEALS)") { csystem_add_seals(number, seals) }
  }
}
