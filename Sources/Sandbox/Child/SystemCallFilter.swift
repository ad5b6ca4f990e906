internal import CSeccomp
internal import Glibc

/// A seccomp filter under construction, in libseccomp's hands.
@safe
struct SystemCallFilter: ~Copyable {
  private let context: scmp_filter_ctx

  /// An empty filter that kills the process for whatever no rule names (SECCOMP_RET_KILL_PROCESS),
  /// calls of another architecture included. The corresponding C function is `seccomp_init`.
  init?() {
    guard let context = unsafe seccomp_init(Self.killProcess) else { return nil }
    unsafe self.context = unsafe context
  }

  deinit {
    unsafe seccomp_release(context)
  }

  /// Adds one row. The corresponding C function is `seccomp_rule_add_array`.
  borrowing func add(_ rule: SystemCallRule) -> Bool {
    let number = unsafe seccomp_syscall_resolve_name(rule.call)
    guard number >= 0 else { return false }
    let action: UInt32 =
      switch rule.action {
      case .allow: Self.allow
      case .fail(let number): Self.fail | UInt32(number)
      }
    guard let condition = rule.condition else {
      return unsafe seccomp_rule_add_array(context, action, number, 0, nil) == 0
    }
    let comparison = scmp_arg_cmp(
      arg: condition.argument, op: SCMP_CMP_MASKED_EQ, datum_a: condition.mask,
      datum_b: condition.value)
    return unsafe withUnsafePointer(to: comparison) {
      unsafe seccomp_rule_add_array(context, action, number, 1, $0) == 0
    }
  }

  /// Puts the filter into force for the process, for good. The corresponding C function is
  /// `seccomp_load`.
  borrowing func load() -> Bool {
    unsafe seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, Self.killProcess) == 0
      && seccomp_load(context) == 0
  }

  // seccomp.h has these as macros that Swift does not import.
  private static let killProcess: UInt32 = 0x8000_0000
  private static let allow: UInt32 = 0x7fff_0000
  private static let fail: UInt32 = 0x0005_0000
}
