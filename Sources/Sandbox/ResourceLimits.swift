internal import CSystemShims
internal import Glibc

extension ChildLimits {
  /// The kernel's form of the limits. Past the soft processor limit comes SIGXCPU, past the hard
  /// one SIGKILL.
  var resources: [csystem_limit] {
    [
      .both(Int32(RLIMIT_AS.rawValue), addressSpace),
      csystem_limit(
        resource: Int32(RLIMIT_CPU.rawValue), soft: UInt64(cpuSeconds), hard: UInt64(cpuSeconds) + 1
      ),
      .both(Int32(RLIMIT_FSIZE.rawValue), outputBytes),
    ]
  }
}

extension csystem_limit {
  /// The same value as soft and hard limit.
  static func both(_ resource: Int32, _ value: Int) -> csystem_limit {
    csystem_limit(resource: resource, soft: UInt64(value), hard: UInt64(value))
  }
}
