internal import Files
internal import Synchronization

/// How other threads reach the transfer thread.
final class TransferMailbox: Sendable {
  /// An exchange on its way to the transfer thread, and where its outcome goes.
  struct Arrival: Sendable {
    let exchange: Exchange
    let ticket: TransferTicket
    let continuation: CheckedContinuation<Exchange.Outcome, Never>
  }

  /// What was put in since the last look.
  struct Delivery: Sendable {
    var arrivals: [Arrival] = []
    var isClosed = false
  }

  let wake: WakeUp
  private let delivery = Mutex(Delivery())

  init() throws(SystemCallFailure) {
    wake = try WakeUp.create()
  }

  func post(_ arrival: Arrival) {
    delivery.withLock { $0.arrivals.append(arrival) }
    wake.signal()
  }

  func close() {
    delivery.withLock { $0.isClosed = true }
    wake.signal()
  }

  /// Everything put in; the mailbox stays closed once it is.
  func take() -> Delivery {
    wake.clear()
    return delivery.withLock { delivery in
      defer { delivery.arrivals = [] }
      return delivery
    }
  }
}

/// A caller's way to give up an exchange, before it has started as well.
final class TransferTicket: Sendable {
  private let flag = Atomic(false)

  var isCancelled: Bool { flag.load(ordering: .acquiring) }

  func cancel() {
    flag.store(true, ordering: .releasing)
  }
}
