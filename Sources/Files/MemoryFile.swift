internal import CSystemShims

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

  /// Forbids every further change of content and size (F_SEAL_WRITE, GROW, SHRINK, SEAL).
  package static func seal(_ file: borrowing Descriptor) throws(SystemCallFailure) {
    let number = file.number
    let seals = csystem_seal_write | csystem_seal_grow | csystem_seal_shrink | csystem_seal_seal
    _ = try retryingOnInterrupt("fcntl(F_ADD_SEALS)") { csystem_add_seals(number, seals) }
  }
}
