internal import Synchronization

/// A box that carries a value with one owner through closures that can only copy: it is taken out
/// once.
package final class Handover<Value: ~Copyable & Sendable>: Sendable {
  private let slot: Mutex<Value?>

  package init(_ value: consuming sending Value) {
    slot = Mutex(value)
  }

  /// The value, the first time; nil afterwards.
  package func take() -> sending Value? {
    slot.withLock { $0.take() }
  }
}
