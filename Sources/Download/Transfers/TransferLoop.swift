internal import CCurl
internal import Files
internal import Media

/// The transfer thread's work: starts what may start, moves what is in flight, ends what is over.
/// Everything here lives and dies on that thread.
final class TransferLoop {
  private struct Active {
    let transfer: Transfer
    let arrival: TransferMailbox.Arrival
  }

  private let mailbox: TransferMailbox
  private let options: DownloadOptions
  private let multi = CurlMulti()
  private let own = OwnAddresses()
  private let held: HeldTransfers
  private var waiting: [TransferMailbox.Arrival] = []
  private var active: [UInt: Active] = [:]

  init(_ mailbox: TransferMailbox, options: DownloadOptions) {
    self.mailbox = mailbox
    self.options = options
    held = HeldTransfers(options) { mailbox.wake.signal() }
    multi.set(CURLMOPT_MAXCONNECTS, options.maximumTransfers)
    // libcurl 7.88.1 loses the wake-up for the end of a stream that shares its connection: 7 of
    // 16,000 transfers hung until their deadline (measured), none with a connection each.
    multi.set(CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
  }

  /// Returns when the mailbox is closed, after every caller has its answer.
  func run() {
    while true {
      let delivery = mailbox.take()
      waiting += delivery.arrivals
      if delivery.isClosed { break }
      endGivenUp()
      endHolds()
      startWaiting()
      multi.perform()
      // What has ended makes room for what waits: no waiting then.
      if endFinished() { continue }
      multi.wait(for: mailbox.wake.descriptor.number, milliseconds: timeToNextDeadline)
    }
    abandonAll()
  }

  /// Starts waiting exchanges, the earliest deadline first, as far as the limits allow.
  private func startWaiting() {
    guard !waiting.isEmpty else { return }
    waiting.sort { $0.exchange.request.deadline < $1.exchange.request.deadline }
    var perHost: [String: Int] = [:]
    for entry in active.values { perHost[entry.transfer.exchange.address.host, default: 0] += 1 }
    var kept: [TransferMailbox.Arrival] = []
    let rules = options.hostRules()
    for arrival in waiting {
      let host = arrival.exchange.address.host
      let most = rules.rule(for: host).concurrency ?? options.maximumPerHost
      if active.count < options.maximumTransfers, perHost[host, default: 0] < most {
        perHost[host, default: 0] += 1
        start(arrival)
      } else {
        kept.append(arrival)
      }
    }
    waiting = kept
    makeRoom()
  }

  /// Lets transfers that are held go on where somebody with an earlier deadline waits for their
  /// connection: one for each.
  private func makeRoom() {
    let isFull = active.count >= options.maximumTransfers
    for (host, arrivals) in Dictionary(grouping: waiting, by: \.exchange.address.host) {
      let near = active.values.map(\.transfer).filter {
        isFull || $0.exchange.address.host == host
      }
      let held = near.filter { $0.hold != nil && !$0.isMakingRoom }
        .sorted { $0.request.deadline > $1.request.deadline }
      let wanted = arrivals.count - near.count { $0.isMakingRoom }
      for (transfer, arrival) in zip(held.prefix(max(0, wanted)), arrivals)
      where arrival.exchange.request.deadline < transfer.request.deadline {
        transfer.isMakingRoom = true
        transfer.hold?.end(.goOn)
      }
    }
  }

  private func start(_ arrival: TransferMailbox.Arrival) {
    let transfer = Transfer(arrival.exchange, options: options, own: own, held: held)
    guard transfer.configure(), multi.add(transfer.easy) else {
      let reason = transfer.easy.refusal.map(CurlLibrary.message) ?? "transfer refused"
      arrival.continuation.resume(
        returning: transfer.outcome(.failure(.connectFailure(reason))))
      return
    }
    active[transfer.easy.identity] = Active(transfer: transfer, arrival: arrival)
  }

  /// Ends what its caller gave up, and what is out of time, in flight or not.
  private func endGivenUp() {
    waiting.removeAll { arrival in
      guard let failure = Self.givenUp(arrival) else { return false }
      arrival.continuation.resume(
        returning: Exchange.Outcome(result: .failure(failure), written: 0))
      return true
    }
    for entry in active.values {
      if entry.arrival.ticket.isCancelled {
        end(entry, entry.transfer.outcome(.failure(.cancelled)))
      } else if entry.transfer.nextDeadline.hasPassed {
        end(entry, entry.transfer.outcomeAtDeadline())
      }
    }
  }

  private func endHolds() {
    for entry in active.values where entry.transfer.endHoldWhereDecided() {
      let failure = entry.transfer.failure ?? .cancelled
      end(entry, entry.transfer.outcome(.failure(failure)))
    }
  }

  private static func givenUp(_ arrival: TransferMailbox.Arrival) -> DownloadFailure? {
    if arrival.ticket.isCancelled { return .cancelled }
    return arrival.exchange.request.deadline.hasPassed ? .downloadTimeout(received: 0) : nil
  }

  /// Whether any had.
  private func endFinished() -> Bool {
    var hasEnded = false
    while let (identity, code) = multi.nextFinished() {
      guard let entry = active[identity] else { continue }
      end(entry, entry.transfer.outcome(code))
      hasEnded = true
    }
    return hasEnded
  }

  private func end(_ entry: Active, _ outcome: Exchange.Outcome) {
    entry.transfer.releaseHold()
    multi.remove(entry.transfer.easy)
    active[entry.transfer.easy.identity] = nil
    entry.arrival.continuation.resume(returning: outcome)
  }

  private func abandonAll() {
    for entry in active.values { end(entry, entry.transfer.outcome(.failure(.cancelled))) }
    for arrival in waiting {
      arrival.continuation.resume(
        returning: Exchange.Outcome(result: .failure(.cancelled), written: 0))
    }
  }

  /// Milliseconds; an hour when nothing is in flight, since the mailbox wakes the thread.
  private var timeToNextDeadline: Int32 {
    let deadlines =
      active.values.map(\.transfer.nextDeadline) + waiting.map(\.exchange.request.deadline)
    return (deadlines.min()?.remaining ?? .seconds(3600)).millisecondsRoundedUp
  }
}
