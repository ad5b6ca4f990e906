/// What one child may use for one input.
package struct ChildLimits: Sendable, Hashable {
  /// Bytes of address space, libraries included (RLIMIT_AS).
  package var addressSpace: Int
  /// Seconds of processor time over all threads (RLIMIT_CPU).
  package var cpuSeconds: Int
  /// Bytes the output may hold (RLIMIT_FSIZE).
  package var outputBytes: Int

  package init(addressSpace: Int, cpuSeconds: Int, outputBytes: Int) {
    self.addressSpace = addressSpace
    self.cpuSeconds = cpuSeconds
    self.outputBytes = outputBytes
  }

  /// What a job of the family gets when nobody asks for something else.
  package static func standard(for family: ChildFamily) -> ChildLimits {
    switch family {
    case .image:
      ChildLimits(addressSpace: 768 << 20, cpuSeconds: 30, outputBytes: 64 << 20)
    case .heif:
      ChildLimits(addressSpace: 1 << 30, cpuSeconds: 60, outputBytes: 64 << 20)
    case .av:
      ChildLimits(addressSpace: 1 << 30, cpuSeconds: 60, outputBytes: 128 << 20)
    case .page:
      ChildLimits(addressSpace: 256 << 20, cpuSeconds: 10, outputBytes: 4 << 20)
    }
  }

  /// What a child starts with: an unprivileged worker can only lower limits afterwards.
  static let ceiling = ChildLimits(addressSpace: 4 << 30, cpuSeconds: 3600, outputBytes: 1 << 30)

  /// The limits, none above the ceiling, none so low that the kernel would read it as none.
  var clamped: ChildLimits {
    ChildLimits(
      addressSpace: min(max(addressSpace, 1 << 20), Self.ceiling.addressSpace),
      cpuSeconds: min(max(cpuSeconds, 1), Self.ceiling.cpuSeconds),
      // A limit of 0 kills the first write to the output.
      outputBytes: min(max(outputBytes, 1), Self.ceiling.outputBytes))
  }
}
