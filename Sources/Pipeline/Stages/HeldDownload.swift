internal import Download
internal import Media
internal import Sandbox
internal import SharedCache
internal import Synchronization

/// One download's place in the decoders' schedule.
///
/// Its first bytes tell what decoding will cost. While that much work goes before it, the transfer is
/// held, so that in overload nothing is fetched in vain.
final class HeldDownload: Sendable {
  private struct State {
    var ticket: Int?
    var hold: TransferHold?
    var began: ContinuousClock.Instant?
    var heldTime = Duration.zero
    var mayLeaveThumbnail = false
    var watch: Task<Void, Never>?
  }

  private let admission: DecodeAdmission
  private let key: SourceKey
  private let host: String
  private let flights: SingleFlight
  /// What the rest of the body takes to come; nil where the host is not known.
  private let lead: Duration?
  /// By when the body must have come.
  private let deadline: Deadline
  private let state = Mutex(State())

  /// `deadline` is that of the download.
  init(
    _ admission: DecodeAdmission, key: SourceKey, host: String, _ stage: FetchStage,
    _ deadline: Deadline
  ) {
    self.admission = admission
    self.key = key
    self.host = host
    flights = stage.cache.flights
    // Who can wait keeps no others waiting.
    lead = stage.pauses == nil ? stage.paces.lead(of: host) : nil
    self.deadline = deadline
  }

  /// For how long the transfer was held.
  var heldTime: Duration {
    state.withLock { $0.heldTime + ($0.began.map { $0.duration(to: .now) } ?? .zero) }
  }

  /// Whether a transfer that was stopped for the schedule's sake may have brought the thumbnail: the
  /// Exif segment of a JPEG lies before what tells its size.
  var mayLeaveThumbnail: Bool { state.withLock { $0.mayLeaveThumbnail } }

  /// Judges the first bytes, of each try anew.
  func judge(
    _ opening: [UInt8], _ declared: Int?, _ hold: TransferHold?
  ) -> DownloadRequest.Verdict {
    end()
    guard opening.count >= DownloadRequest.sniffLength else { return .undecided }
    let format = MediaFormat.sniff(opening)
    guard format.kind == .image else { return .goOn }
    guard let outline = PictureOutline(format, opening) else { return .undecided }
    guard let subject = DecodeSubject(admission.request, outline, format, declared: declared)
    else { return .goOn }
    // Where in such a file the thumbnail lies is not known: it comes with the rest.
    guard format != .heic, !outline.announcesThumbnail else {
      return book(subject, hold) { _ in .goOn }
    }
    let mayHoldThumbnail = format == .jpeg && outline.mayHoldThumbnail
    return book(subject, hold) { [self] problem in
      state.withLock { $0.mayLeaveThumbnail = mayHoldThumbnail }
      return .stop(problem)
    }
  }

  private func book(
    _ subject: DecodeSubject, _ hold: TransferHold?,
    whenRefused: @escaping @Sendable (Problem) -> DownloadRequest.Verdict
  ) -> DownloadRequest.Verdict {
    let children = admission.children
    guard let hold, let lead, deadline.remaining > lead * 4 else {
      let refusal = children.foreseenRefusal(of: subject, by: admission.deadline)
      return refusal.map { whenRefused($0.problem) } ?? .goOn
    }
    // It may be ended before the booking is known.
    begin(hold)
    let arrival = DecodeSchedule.Arrival(
      from: host, lead: lead, latest: deadline.reserving(lead * 2).instant)
    let booking = children.slots.book(
      children.meter.estimate(of: subject), by: admission.deadline, arrival
    ) { [self] isDue in
      release(isDue ? .goOn : whenRefused(refusal(of: subject)))
    }
    switch booking {
    case .refused:
      endHold()
      return whenRefused(refusal(of: subject))
    case .due(let ticket):
      endHold()
      state.withLock { $0.ticket = ticket }
      return .goOn
    case .held(let ticket):
      state.withLock { $0.ticket = ticket }
      watch(hold)
      return .hold
    }
  }

  /// The transfer has ended, or begins anew.
  func end() {
    endHold()
    if let ticket = state.withLock({ $0.ticket.take() }) {
      admission.children.slots.withdraw(ticket)
    }
  }

  private func begin(_ hold: TransferHold) {
    state.withLock { state in
      state.hold = hold
      state.began = .now
    }
    admission.race.beginHold()
  }

  private static let lookInterval = Duration.milliseconds(100)

  /// Who waits for the download may be in more of a hurry, in whichever process.
  private func watch(_ hold: TransferHold) {
    hold.whenEnded { [self] in endHold() }
    let flight = FetchStage.flight(of: key)
    let watch = Task { [self] in
      while (try? await Task.sleep(for: Self.lookInterval)) != nil {
        if flights.earliestWaiter(of: flight) != nil { return release(.goOn) }
      }
    }
    let isOver = state.withLock { state in
      if state.hold != nil { state.watch = watch }
      return state.hold == nil
    }
    if isOver { watch.cancel() }
  }

  private func release(_ verdict: DownloadRequest.Verdict) {
    endHold()?.end(verdict)
  }

  @discardableResult
  private func endHold() -> TransferHold? {
    let hold = state.withLock { state -> TransferHold? in
      if let began = state.began.take() { state.heldTime += began.duration(to: .now) }
      state.watch.take()?.cancel()
      return state.hold.take()
    }
    if hold != nil { admission.race.endHold() }
    return hold
  }

  private func refusal(of subject: DecodeSubject) -> Problem {
    admission.children.refusal(of: subject, by: admission.deadline).problem
  }
}
