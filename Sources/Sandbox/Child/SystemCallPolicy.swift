internal import Glibc

/// One row of a filter: a system call, under which condition it passes, and why it must.
package struct SystemCallRule: Sendable, Hashable {
  package enum Action: Sendable, Hashable {
    case allow
    /// Not run; the caller sees this errno and goes on without.
    case fail(Int32)
  }

  /// Holds when the masked argument has the value.
  package struct Condition: Sendable, Hashable {
    package var argument: UInt32
    package var mask: UInt64
    package var value: UInt64

    package init(argument: UInt32, mask: UInt64, value: UInt64) {
      self.argument = argument
      self.mask = mask
      self.value = value
    }
  }

  package var call: String
  package var action: Action
  package var condition: Condition?
  package var reason: String

  private init(_ call: String, _ action: Action, _ condition: Condition?, _ reason: String) {
    self.call = call
    self.action = action
    self.condition = condition
    self.reason = reason
  }

  static func allow(
    _ call: String, if condition: Condition? = nil, _ reason: String
  ) -> SystemCallRule {
    SystemCallRule(call, .allow, condition, reason)
  }

  static func fail(_ call: String, _ number: Int32, _ reason: String) -> SystemCallRule {
    SystemCallRule(call, .fail(number), nil, reason)
  }
}

extension SystemCallRule.Condition {
  static func argument(_ argument: UInt32, equals value: UInt64) -> Self {
    Self(argument: argument, mask: .max, value: value)
  }

  static func argument(_ argument: UInt32, lacks bits: Int32) -> Self {
    Self(argument: argument, mask: UInt64(bits), value: 0)
  }
}

/// What a confined child may call; everything else kills it. A new row widens what hostile input
/// can reach in the kernel: each needs a reason, and a test counts them.
package enum SystemCallPolicy {
  /// The rows of a family, for the process with the given id.
  package static func rules(for family: ChildFamily, process: Int32) -> [SystemCallRule] {
    switch family {
    case .page: base(process: process)
    case .image, .heif: base(process: process) + decoders
    case .av: base(process: process) + decoders + names
    }
  }

  private static func base(process: Int32) -> [SystemCallRule] {
    [
      .allow("read", "the input; the wait for the end"),
      .allow("lseek", "the input's size: fstat is newfstatat in glibc, which takes paths too"),
      .allow("write", "the output, and the reply on the control socket"),
      .allow("writev", "glibc's last words before abort"),
      .allow("recvmsg", "the request, with its two descriptors"),
      .allow("close", "descriptors no longer needed"),
      .allow("mmap", if: .argument(2, lacks: PROT_EXEC), "memory, the input; never as code"),
      .allow("mprotect", if: .argument(2, lacks: PROT_EXEC), "heap growth; never as code"),
      .allow("munmap", "memory given back"),
      .allow("mremap", "realloc of large blocks"),
      .allow("madvise", "memory given back"),
      .allow("brk", "small blocks"),
      .allow("futex", "locks and once-initialisers"),
      .allow("getrandom", "hash seeds"),
      .allow("clock_gettime", "where the vDSO has no clock"),
      .allow("rt_sigreturn", "the return from a signal handler"),
      .allow("rt_sigprocmask", "abort and raise"),
      .allow("getpid", "abort and raise"),
      .allow("gettid", "abort and raise"),
      .allow("tgkill", if: .argument(0, equals: UInt64(process)), "abort; itself only"),
      .allow("exit_group", "the end"),
    ]
  }

  /// What decoders need that do not map their whole input.
  private static let decoders: [SystemCallRule] = [
    .allow("pread64", "the input at an offset")
  ]

  /// libavformat converts the names of broadcast services: iconv looks for its tables, and leaves the
  /// names as they are without.
  private static let names: [SystemCallRule] = [
    .fail("openat", EACCES, "iconv's tables, for names in transport streams")
  ]
}
