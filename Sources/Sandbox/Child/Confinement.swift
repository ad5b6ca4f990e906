internal import CSystemShims
internal import Glibc

/// The child's own locking-in, before it sees any input. Each layer stands alone: where the kernel
/// lacks one the others still hold, and the posture tells the parent.
enum Confinement {
  /// Applies rlimits, no_new_privs, Landlock and the filter, in this order. There is no way back.
  static func enter(_ family: ChildFamily) -> SandboxPosture {
    let limited = limitResources()
    _ = csystem_forbid_new_privileges()
    _ = csystem_forbid_dumps()
    let abi = denyFileSystem()
    let isForbidden = csystem_new_privileges_are_forbidden() == 1
    let filtered = loadFilter(family)
    return SandboxPosture(
      landlockABI: abi, seccomp: filtered, noNewPrivileges: isForbidden, resourceLimits: limited)
  }

  /// Descriptors: the three of the start, input and output. No core files, no processes or threads.
  private static func limitResources() -> Bool {
    let limits: [csystem_limit] = [
      .both(Int32(RLIMIT_NOFILE.rawValue), 5), .both(Int32(RLIMIT_CORE.rawValue), 0),
      .both(Int32(__RLIMIT_NPROC.rawValue), 0),
    ]
    for limit in limits where csystem_set_limit(0, limit) != 0 { return false }
    var addressSpace = csystem_limit()
    guard unsafe csystem_get_limit(Int32(RLIMIT_AS.rawValue), &addressSpace) == 0 else {
      return false
    }
    return addressSpace.hard <= UInt64(ChildLimits.ceiling.addressSpace)
  }

  private static func denyFileSystem() -> Int? {
    let abi = Int(csystem_landlock_abi())
    guard let rights = LandlockRights(abi: abi) else { return nil }
    let result = csystem_landlock_deny(
      rights.fileSystem, rights.network, rights.scopes, rights.attributeSize)
    return result == 0 ? abi : nil
  }

  private static func loadFilter(_ family: ChildFamily) -> Bool {
    guard let filter = SystemCallFilter() else { return false }
    for rule in SystemCallPolicy.rules(for: family, process: getpid()) {
      guard filter.add(rule) else { return false }
    }
    return filter.load()
  }
}
