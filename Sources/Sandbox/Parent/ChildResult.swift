package import Files

/// What one child gave.
package struct ChildResult: Sendable {
  package let reply: [UInt8]
  package let output: ChildOutput
  package let usage: ChildUsage
}

/// What one child used up.
package struct ChildUsage: Sendable, Hashable {
  /// Processor time of all its threads, start-up included.
  package var cpuTime: Duration
  /// Most bytes resident at a time; nil where it ended before it could be asked.
  package var peakBytes: Int?

  package init(cpuTime: Duration, peakBytes: Int?) {
    self.cpuTime = cpuTime
    self.peakBytes = peakBytes
  }
}

/// The file that a child wrote, sealed against every change since the child is dead. Closed when
/// the last reference goes.
package final class ChildOutput: Sendable {
  package let descriptor: Descriptor

  init(_ descriptor: consuming Descriptor) {
    self.descriptor = descriptor
  }

  /// Its length in bytes.
  package func size() throws(SystemCallFailure) -> Int {
    try descriptor.size()
  }

  /// The bytes of a range that lies inside it.
  package func bytes(_ range: Range<Int>) throws(SystemCallFailure) -> [UInt8] {
    try descriptor.read(at: range.lowerBound, count: range.count)
  }
}
