internal import CCurl
internal import Files
internal import Media

/// One exchange in flight. Lives on the transfer thread only, at one address in memory, because
/// libcurl's callbacks hold it.
final class Transfer {
  let exchange: Exchange
  let options: DownloadOptions
  let own: OwnAddresses
  var easy = CurlEasy()
  var fields = CurlList()

  var status = 0
  var headers = HeaderFields()
  var headerBytes = 0
  var isHeaderComplete = false
  /// Bytes of the body as they came, and as they were kept.
  var encodedCount = 0
  var received = 0
  var decoder = ContentDecoder(field: nil, limit: 0)
  var discarded = 0
  var prefix: [UInt8] = []
  var isSniffed = false
  /// Our reason for stopping: libcurl itself only knows that a callback failed.
  var failure: DownloadFailure?
  var wasCut = false
  /// Whether the destination has become a file in memory, for want of room on the disk.
  var isInMemory = false
  /// Whether the watcher had enough; the same trap.
  var isBeginning = false
  /// Addresses that were not connected to, with the reason; the same trap.
  var refusals: [(address: IPAddress, reason: String)] = []
  var openedSockets = 0
  /// Requests begun, and the connections made for them.
  var requestCount = 0
  var connectionCount = 0
  /// Whether the request was about to be sent on one kept connection after another.
  var needsFreshConnection = false
  /// What no socket could be had for; the same trap.
  var shortage: SystemCallFailure?
  /// By when the body of an answer that nobody wants must have ended, to keep the connection.
  var drainEnd: Deadline?
  /// The body's first bytes, until they have been judged.
  var opening: [UInt8] = []
  var isJudged = false
  let held: HeldTransfers
  /// What keeps the transfer from reading on.
  var hold: TransferHold?
  var heldSince = ContinuousClock.now
  var heldTime = Duration.zero
  /// Whether it was held, and goes on for somebody else's sake.
  var isMakingRoom = false

  static let headerLimit = 65_536
  static let drainLimit = 65_536
  static let drainTime = Duration.milliseconds(250)

  init(
    _ exchange: Exchange, options: DownloadOptions, own: OwnAddresses, held: HeldTransfers
  ) {
    self.exchange = exchange
    self.options = options
    self.own = own
    self.held = held
  }

  var request: DownloadRequest { exchange.request }

  /// When the transfer thread must look at this transfer even if nothing arrives.
  var nextDeadline: Deadline {
    [request.end, drainEnd, hostEnd].compactMap { $0 }.min() ?? request.end
  }

  private var hostEnd: Deadline? {
    guard hold == nil, let end = request.hostEnd else { return nil }
    return Deadline(end.instant.advanced(by: heldTime))
  }

  /// What to tell the caller when time is up; a body that nobody wants is no loss.
  func outcomeAtDeadline() -> Exchange.Outcome {
    if drainEnd != nil { return outcome(.success(answer)) }
    return outcome(.failure(.downloadTimeout(received: received)))
  }

  func outcome(_ result: Result<Exchange.Answer, DownloadFailure>) -> Exchange.Outcome {
    Exchange.Outcome(
      result: result, written: received, needsFreshConnection: needsFreshConnection)
  }

  /// What to tell the caller when libcurl has ended the transfer with `code`.
  func outcome(_ code: CURLcode) -> Exchange.Outcome {
    if let failure { return outcome(.failure(failure)) }
    guard code == CURLE_OK || wasCut || isBeginning || drainEnd != nil else {
      return outcome(.failure(CurlFailure(transfer: self, code: code).failure))
    }
    finishBody()
    sniff(isComplete: true)
    if status == 200, received == 0 { _ = clearDestination() }
    if let failure { return outcome(.failure(failure)) }
    return outcome(.success(answer))
  }

  private var answer: Exchange.Answer {
    Exchange.Answer(
      status: status, headers: headers, received: received, wasCut: wasCut,
      isBeginning: isBeginning, timing: timing)
  }

  private var timing: DownloadResponse.Timing {
    let start = easy.offset(CURLINFO_NAMELOOKUP_TIME_T)
    let connected = easy.offset(CURLINFO_CONNECT_TIME_T)
    let secured = easy.offset(CURLINFO_APPCONNECT_TIME_T)
    return DownloadResponse.Timing(
      nameLookup: .microseconds(start),
      connect: .microseconds(max(0, connected - start)),
      tls: .microseconds(max(0, secured - connected)),
      firstByte: .microseconds(easy.offset(CURLINFO_STARTTRANSFER_TIME_T)),
      total: .microseconds(easy.offset(CURLINFO_TOTAL_TIME_T)))
  }
}
