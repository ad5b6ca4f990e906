internal import CSystemShims
internal import Glibc

/// A descriptor that becomes readable when another thread signals it. The corresponding C function
/// is `eventfd`.
package struct WakeUp: ~Copyable, Sendable {
  package let descriptor: Descriptor

  package static func create() throws(SystemCallFailure) -> WakeUp {
    WakeUp(
      descriptor: Descriptor(
        adopting: try retryingOnInterrupt("eventfd") { csystem_event_descriptor() }))
  }

  /// Makes the descriptor readable; any number of signals count as one.
  package borrowing func signal() {
    let number = descriptor.number
    var one: UInt64 = 1
    _ = unsafe write(number, &one, 8)
  }

  /// Makes the descriptor unreadable until the next signal.
  package borrowing func clear() {
    let number = descriptor.number
    var count: UInt64 = 0
    _ = unsafe read(number, &count, 8)
  }
}
