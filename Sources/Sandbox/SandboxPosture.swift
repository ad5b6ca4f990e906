/// Whether a child that is confined too little may be used.
package enum SandboxMode: String, Sendable, Hashable, CaseIterable {
  /// It gets no input; the command ends with exit code 3.
  case required
  /// It is used, with a warning.
  case bestEffort = "best-effort"
}

/// Which layers hold around a child, as the child found when it confined itself, before any input.
package struct SandboxPosture: Sendable, Hashable {
  /// What must be denied by at least one layer (contract §10).
  package enum Denial: String, Sendable, Hashable, CaseIterable {
    case fileSystem, network, exec, memory
  }

  /// The kernel's Landlock version that denies all it handles; nil without Landlock.
  package var landlockABI: Int?
  /// Whether the system call filter is loaded.
  package var seccomp: Bool
  package var noNewPrivileges: Bool
  /// Whether an address space limit is set.
  package var resourceLimits: Bool

  package init(landlockABI: Int?, seccomp: Bool, noNewPrivileges: Bool, resourceLimits: Bool) {
    self.landlockABI = landlockABI
    self.seccomp = seccomp
    self.noNewPrivileges = noNewPrivileges
    self.resourceLimits = resourceLimits
  }

  /// What at least one layer denies. Landlock does not count for exec, since a memory file lies
  /// outside its reach, nor for the network, where it knows TCP alone.
  package var denied: Set<Denial> {
    var denied: Set<Denial> = []
    if seccomp { denied.formUnion([.fileSystem, .network, .exec]) }
    if landlockABI != nil { denied.insert(.fileSystem) }
    if resourceLimits { denied.insert(.memory) }
    return denied
  }

  /// Whether everything that must be denied is.
  package var isSufficient: Bool { denied.count == Denial.allCases.count }

  /// What no layer denies, in the contract's order.
  package var missing: [Denial] { Denial.allCases.filter { !denied.contains($0) } }
}

extension SandboxPosture: CustomStringConvertible {
  package var description: String {
    let landlock = landlockABI.map { "landlock (ABI \($0))" } ?? "no landlock"
    return [
      resourceLimits ? "rlimits" : "no rlimits",
      noNewPrivileges ? "no_new_privs" : "new privileges possible",
      landlock,
      seccomp ? "seccomp" : "no seccomp",
    ].joined(separator: ", ")
  }
}
