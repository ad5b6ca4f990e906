internal import Download
internal import Files
internal import Media
internal import SharedCache

extension FetchStage {
  /// Asks the origin, under the condition that the stored copy has changed where there is one.
  func download(
    _ address: WebAddress, key: SourceKey, deadline: Deadline, isForced: Bool,
    _ landing: Landing? = nil
  ) async throws(Problem) -> FetchedPicture {
    let known = isForced ? nil : await blocking.run { usableCopy(key) }
    do throws(DownloadFault) {
      return try await exchange(address, key: key, known: known, deadline: deadline, landing)
    } catch {
      return try await fallBack(on: known, after: error, key: key)
    }
  }

  private func exchange(
    _ address: WebAddress, key: SourceKey, known: SourceRecord?, deadline: Deadline,
    _ landing: Landing?
  ) async throws(DownloadFault) -> FetchedPicture {
    let temporary = try await makeTemporary(by: deadline)
    guard subject == .picture, let landing, let lateDownloads, let bytes = try? temporary.reopen()
    else {
      return try await transfer(temporary, address, key: key, known: known, deadline, deadline)
    }
    let handover = Handover(temporary)
    let running = RunningDownload(into: bytes)
    let start = WallClock.now()
    running.start {
      do throws(DownloadFault) {
        guard let temporary = handover.take() else { throw .cache(.deadlineExceeded) }
        return .success(
          try await transfer(
            temporary, address, key: key, known: known, deadline,
            Deadline(deadline.instant.advanced(by: LateDownloads.time))))
      } catch {
        return .failure(error)
      }
    }
    if let outcome = await running.outcome(by: deadline) { return try outcome.get() }
    let isCancelled = Task.isCancelled
    if isCancelled, !landing.isLost {
      running.cancel()
      await running.settled()
      throw .download(.cancelled, address, beginning: nil)
    }
    let failure = DownloadFailure.downloadTimeout(received: running.received)
    let beginning = isCancelled ? nil : await blocking.run { running.beginning() }
    await rememberSilence(failure, since: start, of: key)
    if !lateDownloads.adopt(running, of: key.url, landing) {
      running.cancel()
      await running.settled()
    }
    throw .download(
      failure, address, beginning: beginning.map { Beginning(input: $0, mayBeKept: false) })
  }

  /// Asks the origin and keeps its answer. No exchange begins after the deadline; one that has begun
  /// may last until `end`.
  private func transfer(
    _ temporary: consuming TemporaryObject, _ address: WebAddress, key: SourceKey,
    known: SourceRecord?, _ deadline: Deadline, _ end: Deadline
  ) async throws(DownloadFault) -> FetchedPicture {
    var request = request(address, deadline: deadline)
    request.end = end
    request.validators = known.flatMap { .init($0.fields) }
    let stop = needs.map { EarlyStop($0, deadline: request.deadline) }
    let held = admission.map { HeldDownload($0, key: key, host: address.host, self, deadline) }
    defer { held?.end() }
    if let held { request.judge = { held.judge($0, $1, $2) } }
    if let stop {
      request.watcher = {
        stop.look($0, offset: $1, declared: $2, held: held?.heldTime ?? .zero)
      }
    }
    let requestTime = WallClock.now()
    let start = ContinuousClock.now
    let header = ReceivedHeader()
    request.noteHeader = { header.note($0) }
    let response: DownloadResponse
    Log.current?.debug("download begun", ["url": .string(address.redacted)])
    do throws(DownloadFailure) {
      response = try await downloader.fetch(request, into: temporary.descriptor.number)
      Log.current?.debug("download ended", response.logFields(of: address, since: start))
    } catch {
      Log.current?.debug("download failed", error.logFields(of: address, since: start))
      pauses?.note(error, address, now: WallClock.now())
      await rememberSilence(error, since: requestTime, of: key)
      throw .download(
        error, address,
        beginning: error.leavesBeginning || held?.mayLeaveThumbnail == true
          ? temporary.beginning(header, requestTime) : nil)
    }
    pauses?.noteSuccess(address.host)
    if !response.isBeginning {
      paces.note(address.host, start.duration(to: .now) - (held?.heldTime ?? .zero))
    }
    let arrival = Arrival(
      response: response, requestTime: requestTime, key: key,
      beginning: response.isBeginning ? stop?.beginning : nil)
    var picture: FetchedPicture
    if response.status == 304, let known {
      if known.fields.isConfirmed(by: arrival.fields) {
        return try await refresh(known, by: arrival)
      }
      // It speaks of another copy than ours (RFC 9111 §4.3.4).
      picture = try await transfer(
        try await makeTemporary(by: deadline), address, key: key, known: nil, deadline, end)
    } else {
      picture = try await keep(temporary, arrival)
    }
    picture.replaced = known.flatMap { $0.original == picture.content ? nil : $0 }
    return picture
  }

  private func makeTemporary(
    by deadline: Deadline
  ) async throws(DownloadFault) -> TemporaryObject {
    do throws(CacheFailure) {
      let handover = try await throughShortage(until: deadline) {
        () async throws(CacheFailure) in
        try await blocking.run { [cache] () throws(CacheFailure) in
          Handover(try cache.makeTemporaryOrHold())
        }
      }
      guard let temporary = handover.take() else { throw .deadlineExceeded }
      return temporary
    } catch {
      throw .cache(error)
    }
  }

  private func refresh(
    _ known: SourceRecord, by arrival: Arrival
  ) async throws(DownloadFault) -> FetchedPicture {
    do throws(CacheFailure) {
      _ = try await blocking.run { [cache] () throws(CacheFailure) in
        try cache.refresh(
          known, by: arrival.fields, requestTime: arrival.requestTime,
          responseTime: arrival.responseTime)
      }
    } catch {
      // The copy is good all the same; it will be asked for again.
    }
    return FetchedPicture(known, cacheUse: .revalidated)
  }

  /// Publishes the bytes and notes where they came from; holds them in memory where nothing may or
  /// can be kept.
  private func keep(
    _ temporary: consuming TemporaryObject, _ arrival: Arrival
  ) async throws(DownloadFault) -> FetchedPicture {
    let handover = Handover(temporary)
    do throws(CacheFailure) {
      return try await blocking.run { [cache] () throws(CacheFailure) in
        try arrival.keep(handover, in: cache)
      }
    } catch {
      throw .cache(error)
    }
  }

  private func fallBack(
    on known: SourceRecord?, after fault: DownloadFault, key: SourceKey
  ) async throws(Problem) -> FetchedPicture {
    let stale = fault.permitsStale ? known?.standIn(for: fault.problem) : nil
    if case .download(let failure, _, let beginning) = fault, let memory = failure.memory,
      subject.remembers(failure),
      pauses == nil || !failure.namesReturn
    {
      let problem = fault.problem
      let isWanted = stale == nil && subject == .picture
      _ = try? await blocking.run { [cache] () throws(CacheFailure) in
        try cache.recordFailure(
          of: key, memory.kind, code: problem.code, message: problem.message,
          retryAfter: memory.retryAfter, beginning: isWanted ? beginning?.keep(in: cache) : nil,
          ofVariantAlone: failure.dependsOnSubject)
      }
    }
    if let stale { return stale }
    let kept =
      fault.permitsStale
      ? await blocking.run { beginning(of: key, for: fault.problem) } : nil
    guard let picture = FetchedPicture(beginningAfter: fault, key: key).orLonger(kept) else {
      throw fault.problem
    }
    return picture
  }
}

extension DownloadRequest.Validators {
  /// Nil where there is nothing to make a request conditional with.
  init?(_ fields: ResponseFields) {
    guard fields.entityTag != nil || fields.lastModified != nil else { return nil }
    self.init(etag: fields.entityTag, lastModified: fields.lastModified)
  }
}

/// Why asking the origin gave nothing.
enum DownloadFault: Error {
  /// With what came before the failure, where that may be worth showing.
  case download(DownloadFailure, WebAddress, beginning: Beginning?)
  case cache(CacheFailure)

  var problem: Problem {
    switch self {
    case .download(let failure, let address, _):
      failure.problem(url: address)
        ?? Problem(.download, .deadlineExceeded, "no longer wanted", url: address.redacted)
    case .cache(let failure): failure.problem()
    }
  }

  /// Whether a stale copy may stand in (RFC 5861 §4): not when the origin said that it is gone.
  var permitsStale: Bool {
    guard case .download(let failure, _, _) = self else { return true }
    switch failure {
    case .httpStatus(404, _), .httpStatus(410, _): return false
    default: return true
    }
  }
}

extension DownloadFailure {
  /// Whether the bytes that came before it are the beginning of what was asked for.
  fileprivate var leavesBeginning: Bool {
    switch self {
    case .downloadTimeout, .truncatedBody, .connectFailure, .dnsFailure, .tlsFailure: true
    case .httpStatus(let status, _): status == 429 || status >= 500
    default: false
    }
  }

  /// How the failure is remembered; nil for what says nothing about the address.
  var memory: (kind: FailureKind, retryAfter: Int64?)? {
    switch self {
    case .httpStatus(404, _), .httpStatus(410, _): (.gone, nil)
    case .httpStatus(let status, let pause) where status == 429 || status >= 500:
      (.transient, pause?.wholeMilliseconds)
    case .httpStatus, .tooManyRedirects, .downloadTooLarge, .headersTooLarge, .refused,
      .tooManyCodings:
      (.rejected, nil)
    case .dnsFailure, .connectFailure, .tlsFailure, .truncatedBody: (.transient, nil)
    case .unsupportedURL, .addressNotAllowed, .downloadTimeout, .cancelled, .destination,
      .proxyFailure, .shortage:
      nil
    }
  }
}

extension DownloadResponse {
  fileprivate func logFields(
    of address: WebAddress, since start: ContinuousClock.Instant
  ) -> JSONObject {
    [
      "status": JSONValue(status), "bytes": JSONValue(byteCount),
      "ms": JSONValue(Int(clamping: start.duration(to: .now).wholeMilliseconds)),
      "url": .string(address.redacted),
    ]
  }
}

extension DownloadFailure {
  fileprivate func logFields(
    of address: WebAddress, since start: ContinuousClock.Instant
  ) -> JSONObject {
    [
      "code": JSONValue(problem(url: address)?.code.rawValue),
      "ms": JSONValue(Int(clamping: start.duration(to: .now).wholeMilliseconds)),
      "url": .string(address.redacted),
    ]
  }
}
