internal import Files

/// When a payload was delivered, and which file it is: tells apart and orders the jobs of one id.
/// The kernel's clock ticks every few milliseconds, so that two files may have one time; their
/// inode numbers then decide, alike for every worker.
package struct DeliveryOrder: Sendable, Hashable, Comparable {
  /// The file's change time in incoming/, nanoseconds since 1970.
  package let nanoseconds: Int64
  package let inode: UInt64

  package init(nanoseconds: Int64, inode: UInt64) {
    self.nanoseconds = nanoseconds
    self.inode = inode
  }

  package static func < (left: DeliveryOrder, right: DeliveryOrder) -> Bool {
    (left.nanoseconds, left.inode) < (right.nanoseconds, right.inode)
  }
}
