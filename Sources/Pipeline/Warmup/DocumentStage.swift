internal import Download
internal import Files
internal import Media
internal import Sandbox
internal import SharedCache
internal import Synchronization

/// From an address to a document: kept while fresh, asked for with conditions afterwards.
struct DocumentStage: Sendable {
  enum Result: Sendable {
    case document(WarmDocument, Use)
    /// The address leads to a picture, or to sound or film with a poster or cover.
    case picture
  }

  enum Use: Sendable {
    case read, revalidated, fresh
  }

  let cache: SharedCache
  let downloader: Downloader
  let blocking: BlockingCalls
  let documents: SharedDocuments
  let parser: DocumentParser
  let pauses: HostPauses
  let refresh: FetchStage.Refresh
  /// Large lists at a time: each may take 52 MB.
  let largeSlots = DecodeSlots(count: 2)

  /// `isDone` says that an interrupted run has read it already.
  func run(
    _ item: WarmItem, isDone: Bool, deadline: Deadline
  ) async throws(Problem) -> Result {
    guard let address = WebAddress(item.url) else {
      throw Problem(.download, .unsupportedURL, "no address that may be fetched")
    }
    let known = await blocking.run { [documents] in documents.load(item.url) }
    if let known, isDone || isUsable(known.freshness, since: known.responseTime) {
      return .document(known, .fresh)
    }
    if let page = await recalledPage(address, item, deadline: deadline) {
      return .document(page, .fresh)
    }
    try await checkFailure(address)
    guard case .page = item.work else {
      let result: Swift.Result<Result, Problem>? = await largeSlots.run(by: deadline) {
        await ask(address, item, known, deadline)
      }
      guard let result else {
        throw Problem(.download, .deadlineExceeded, "no time was left for \(address.redacted)")
      }
      return try result.get()
    }
    return try await ask(address, item, known, deadline).get()
  }

  /// Whether what came at `responseTime` needs not be asked for.
  func isUsable(_ freshness: Freshness, since responseTime: Int64) -> Bool {
    let now = WallClock.now()
    if freshness.state(at: now.addingReportingOverflow(refresh.horizon).partialValue) == .fresh {
      return true
    }
    return responseTime >= refresh.since && freshness.state(at: now) == .fresh
  }

  private func checkFailure(_ address: WebAddress) async throws(Problem) {
    let key = SourceKey(url: address.description)
    if let failure = await blocking.run({ [cache] in cache.failure(of: key) }) {
      throw Problem(
        .page, failure.code, "\(failure.message) (remembered)", url: address.redacted)
    }
  }

  /// Asks the origin, one for all who want the address; a page that another got meanwhile is taken.
  private func ask(
    _ address: WebAddress, _ item: WarmItem, _ known: WarmDocument?, _ deadline: Deadline
  ) async -> Swift.Result<Result, Problem> {
    let flight = FetchStage.flight(of: SourceKey(url: address.description))
    guard let boarding = try? await cache.flights.board(flight, deadline: deadline) else {
      return await answer(address, item, known, deadline)
    }
    if let page = await recalledPage(address, item, deadline: deadline) {
      return .success(.document(page, .fresh))
    }
    let result = await answer(address, item, known, deadline)
    if case .leading(let flight) = consume boarding { flight.land() }
    return result
  }

  private func answer(
    _ address: WebAddress, _ item: WarmItem, _ known: WarmDocument?, _ deadline: Deadline
  ) async -> Swift.Result<Result, Problem> {
    do throws(Problem) {
      return .success(try await exchange(address, item, known, deadline))
    } catch {
      return .failure(error)
    }
  }

  private func exchange(
    _ address: WebAddress, _ item: WarmItem, _ known: WarmDocument?, _ deadline: Deadline
  ) async throws(Problem) -> Result {
    let sniffed = SniffedPicture()
    var request = DownloadRequest(
      address, accept: item.accept, byteLimit: item.byteLimit, overflow: .cut, deadline: deadline,
      allowsCompression: true, retries: 0
    ) { prefix, contentType in sniffed.judge(prefix, contentType) }
    request.validators = known.flatMap { .init($0.fields) }
    let requestTime = WallClock.now()
    let file = try PageStage.makeFile()
    let response: DownloadResponse
    do throws(DownloadFailure) {
      response = try await downloader.fetch(request, into: file.number)
    } catch {
      if case .refused = error, sniffed.givesPicture { return .picture }
      throw await remember(error, address)
    }
    pauses.noteSuccess(address.host)
    let arrival = Arrival(
      response: response, requestTime: requestTime,
      key: SourceKey(url: address.description, variant: item.accept))
    if response.status == 304, let known {
      guard known.fields.isConfirmed(by: arrival.fields) else {
        // It speaks of another copy than ours (RFC 9111 §4.3.4).
        return try await exchange(address, item, nil, deadline)
      }
      if known.form == .page { await renewPage(by: arrival) }
      return .document(await renew(known, by: arrival), .revalidated)
    }
    let input = try PageStage.seal(file)
    let (form, body) = try await parser.parse(
      input, contentType: response.headers["content-type"], base: response.finalAddress,
      deadline: deadline)
    if form == .page { await keep(input, arrival) }
    let document = WarmDocument(
      url: address.description, finalURL: response.finalAddress.description,
      fields: arrival.fields, requestTime: requestTime, responseTime: arrival.responseTime,
      form: form, body: body)
    await blocking.run { [documents] in
      if document.freshness.isStorable {
        documents.store(document)
      } else {
        documents.remove(item.url)
      }
    }
    return .document(document, .read)
  }

  /// What a 304 says of a kept document (RFC 9111 §4.3.4).
  private func renew(_ known: WarmDocument, by arrival: Arrival) async -> WarmDocument {
    var document = known
    document.fields = known.fields.updated(by: arrival.fields)
    document.requestTime = arrival.requestTime
    document.responseTime = arrival.responseTime
    let renewed = document
    await blocking.run { [documents] in documents.store(renewed) }
    return document
  }

  private func remember(_ failure: DownloadFailure, _ address: WebAddress) async -> Problem {
    pauses.note(failure, address, now: WallClock.now())
    let problem =
      failure.problem(url: address)
      ?? Problem(.page, .deadlineExceeded, "no longer wanted", url: address.redacted)
    // What is no page may still be a picture, and what says when to come back has not failed.
    if case .refused = failure { return problem }
    guard !failure.namesReturn, let memory = failure.memory else { return problem }
    let key = SourceKey(url: address.description)
    _ = try? await blocking.run { [cache] () throws(CacheFailure) in
      try cache.recordFailure(
        of: key, memory.kind, code: problem.code, message: problem.message,
        retryAfter: memory.retryAfter)
    }
    return problem
  }
}

extension WarmItem {
  /// What is asked for first.
  var accept: String {
    if case .page = work { return AcceptField.page }
    return "application/rss+xml,application/atom+xml,application/xml;q=0.9,text/xml;q=0.9,"
      + "text/html;q=0.8,text/plain;q=0.7,application/json;q=0.7,*/*;q=0.1"
  }

  fileprivate var byteLimit: Int {
    if case .page = work { return PageStage.byteLimit }
    return Listing.mostBytes
  }
}

/// Judges a document by its first bytes, told beyond the transfer's end.
private final class SniffedPicture: Sendable {
  private let format = Mutex(MediaFormat.unknown)

  func judge(_ prefix: [UInt8], _ contentType: String?) -> Problem? {
    let sniffed = MediaFormat.sniff(prefix)
    format.withLock { $0 = sniffed }
    guard sniffed.kind != nil || sniffed == .pdf || sniffed == .zip else { return nil }
    return Problem(.page, .notMedia, "no page or list: \(sniffed.rawValue)")
  }

  var givesPicture: Bool {
    PictureChildren.family(of: format.withLock { $0 }) != nil
  }
}

/// The documents, shared by the tasks of a run.
final class SharedDocuments: Sendable {
  private let documents: WarmDocuments

  init(_ documents: consuming WarmDocuments) {
    self.documents = documents
  }

  func load(_ url: String) -> WarmDocument? { documents.load(url) }
  func store(_ document: WarmDocument) { documents.store(document) }
  func remove(_ url: String) { documents.remove(url) }
  func prune() { documents.prune() }
}
