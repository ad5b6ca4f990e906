import Glibc
import Media

/// What `ulimit -v` leaves. Asked before any thread is started: libdispatch tries a thread that finds
/// no room for its stack again and again, in silence, and the program would hang.
enum AddressSpace {
  /// For threads, 8 MB each, and the allocator's arenas, 128 MB each while they are made.
  private static let leastOwn: UInt64 = 1 << 30
  /// What a decoder's limit is set from; only a larger one can be lowered to it.
  private static let leastForDecoders: UInt64 = 4 << 30
  private static let decoding: Set<String> = ["worker", "probe", "render", "warm", "doctor"]

  /// Why a command cannot run; nil when it can.
  static func shortage(for command: String?) -> String? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { return nil }
    let isDecoding = command.map(decoding.contains) ?? false
    let least = isDecoding ? leastForDecoders : leastOwn
    guard limit.rlim_cur < leastOwn || limit.rlim_max < least else { return nil }
    let found = ByteCount.text(Int(clamping: min(limit.rlim_cur, limit.rlim_max)))
    return "the address space is limited to \(found) (ulimit -v);"
      + " \(ByteCount.text(Int(clamping: least))) are needed, most of it reserved and never used"
  }
}
