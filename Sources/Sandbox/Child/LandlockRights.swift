/// What a Landlock version can deny (Linux, Documentation/userspace-api/landlock.rst).
package struct LandlockRights: Sendable, Hashable {
  /// LANDLOCK_ACCESS_FS_ bits.
  package var fileSystem: UInt64
  /// LANDLOCK_ACCESS_NET_ bits.
  package var network: UInt64
  /// LANDLOCK_SCOPE_ bits.
  package var scopes: UInt64
  /// Bytes of the attribute that the kernel knows: a longer one is refused by older kernels.
  package var attributeSize: Int

  /// Everything that version `abi` handles; nil where Landlock is missing or switched off. Kernels
  /// newer than we know are asked for what we know.
  package init?(abi: Int) {
    guard abi >= 1 else { return nil }
    // ABI 1 has EXECUTE to MAKE_SYM, ABI 2 adds REFER, ABI 3 TRUNCATE, ABI 5 IOCTL_DEV.
    let fileSystemBits = abi >= 5 ? 16 : abi >= 3 ? 15 : abi == 2 ? 14 : 13
    self.fileSystem = (1 << fileSystemBits) - 1
    // ABI 4: BIND_TCP, CONNECT_TCP.
    self.network = abi >= 4 ? 0b11 : 0
    // ABI 6: ABSTRACT_UNIX_SOCKET, SIGNAL.
    self.scopes = abi >= 6 ? 0b11 : 0
    self.attributeSize = abi >= 6 ? 24 : abi >= 4 ? 16 : 8
  }
}
