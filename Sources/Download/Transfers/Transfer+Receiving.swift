internal import Files
internal import Glibc
internal import Media

extension Transfer {
  /// Takes one header line, the status line and the empty last one included; false stops the
  /// transfer. Interim answers (1xx) begin anew, but their bytes count.
  func receiveHeader(_ line: [UInt8]) -> Bool {
    headerBytes += line.count
    guard headerBytes <= Self.headerLimit else {
      return stop(.headersTooLarge(limit: Self.headerLimit))
    }
    // Trailer fields come after the body and change nothing.
    if isHeaderComplete { return true }
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      status = Self.status(text)
      headers = HeaderFields()
    } else if text.utf8.allSatisfy({ $0 <= 0x20 }) {
      return endHeader()
    } else {
      headers.add(line: text)
    }
    return true
  }

  private func endHeader() -> Bool {
    if (100...199).contains(status) { return true }
    isHeaderComplete = true
    guard status == 200 else {
      drainEnd = min(request.end, .after(Self.drainTime))
      return true
    }
    request.noteHeader?(headers)
    if let declared = declaredLength, declared > request.byteLimit, request.overflow == .refuse {
      return stop(.downloadTooLarge(limit: request.byteLimit, declared: declared))
    }
    decoder = ContentDecoder(field: headers["content-encoding"], limit: request.byteLimit)
    return decoder.excess.map { stop(.tooManyCodings($0, limit: ContentDecoder.mostCodings)) }
      ?? true
  }

  /// Takes bytes of the body; false stops the transfer.
  func receiveBody(_ bytes: RawSpan) -> Bool {
    guard status == 200 else {
      discarded += bytes.byteCount
      return discarded <= Self.drainLimit
    }
    encodedCount += bytes.byteCount
    // Compressed data that come to nothing have an end as well.
    guard encodedCount <= request.byteLimit || fits(encodedCount - request.byteLimit, in: 0) else {
      return false
    }
    return decoder.decode(bytes, take) && !wasCut || stopAtDamage()
  }

  /// What is to be done once all has come, as far as it came.
  func finishBody() {
    guard status == 200, failure == nil, !wasCut, !isBeginning else { return }
    if decoder.finish(take), !decoder.isWhole { _ = stopAtDamage() }
  }

  private func stopAtDamage() -> Bool {
    guard !wasCut, !isBeginning else { return false }
    if decoder.isAboveLimit { return fits(1, in: 0) }
    return stop(.truncatedBody(expected: nil, actual: received))
  }

  /// Takes bytes as they were before they were compressed.
  private func take(_ bytes: RawSpan) -> Bool {
    let room = request.byteLimit - received
    guard fits(bytes.byteCount, in: room) else { return false }
    return keep(bytes.extracting(..<min(room, bytes.byteCount)))
      && !wasCut && !isBeginning
  }

  private func fits(_ count: Int, in room: Int) -> Bool {
    guard count > room else { return true }
    wasCut = request.overflow == .cut
    return wasCut || stop(.downloadTooLarge(limit: request.byteLimit, declared: nil))
  }

  private func keep(_ bytes: RawSpan) -> Bool {
    extendPrefix(bytes)
    sniff(isComplete: false)
    guard failure == nil, received > 0 || clearDestination() else { return false }
    do throws(SystemCallFailure) {
      try write(bytes.extracting(..<wanted(of: bytes)))
      return isBeginning || judgeOpening(bytes)
    } catch {
      return stop(.destination(error))
    }
  }

  /// How many of the next bytes are wanted: all, until the watcher has enough.
  private func wanted(of bytes: RawSpan) -> Int {
    guard let watcher = request.watcher else { return bytes.byteCount }
    let declared = headers["content-encoding"] == nil ? declaredLength : nil
    let enough = unsafe bytes.withUnsafeBytes {
      watcher(unsafe Span(_unsafeBytes: $0), received, declared)
    }
    guard let enough else { return bytes.byteCount }
    isBeginning = true
    return min(max(0, enough - received), bytes.byteCount)
  }

  /// Removes what an earlier exchange left; false when that fails.
  func clearDestination() -> Bool {
    guard exchange.replacesBytes else { return true }
    do throws(SystemCallFailure) {
      _ = try retryingOnInterrupt("ftruncate") { ftruncate(exchange.destination, 0) }
      return true
    } catch {
      return stop(.destination(error))
    }
  }

  private func write(_ bytes: RawSpan) throws(SystemCallFailure) {
    var written = 0
    while written < bytes.byteCount {
      let rest = bytes.extracting(written...)
      let offset = received
      let count: Int
      do throws(SystemCallFailure) {
        count = try retryingOnInterrupt("write") {
          unsafe rest.withUnsafeBytes {
            unsafe pwrite(exchange.destination, $0.baseAddress, $0.count, offset)
          }
        }
      } catch {
        guard error.isDiskFull, !isInMemory else { throw error }
        try moveToMemory()
        continue
      }
      written += count
      received += count
    }
  }

  /// Goes on in memory where the disk is full: the destination's descriptor becomes that of a memory
  /// file with the bytes that have come. What came before stays on the disk as well, for who reads
  /// it there.
  private func moveToMemory() throws(SystemCallFailure) {
    isInMemory = true
    try MemoryFile.replace(exchange.destination, keeping: received)
  }

  private func extendPrefix(_ bytes: RawSpan) {
    guard !isSniffed, request.sniffer != nil else { return }
    let wanted = min(DownloadRequest.sniffLength - prefix.count, bytes.byteCount)
    unsafe bytes.withUnsafeBytes { unsafe prefix.append(contentsOf: $0.prefix(wanted)) }
  }

  /// Asks the sniffer once, as soon as there is enough to see or nothing more will come.
  func sniff(isComplete: Bool) {
    guard status == 200, !isSniffed, let sniffer = request.sniffer,
      isComplete || prefix.count >= DownloadRequest.sniffLength
    else { return }
    isSniffed = true
    if let problem = sniffer(prefix, headers["content-type"]) { _ = stop(.refused(problem)) }
    prefix = []
  }

  /// The Content-Length, saturated where it does not fit.
  var declaredLength: Int? {
    guard let text = headers["content-length"], !text.isEmpty,
      text.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(text) ?? .max
  }

  func stop(_ reason: DownloadFailure) -> Bool {
    failure = failure ?? reason
    return false
  }

  private static func status(_ line: String) -> Int {
    let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    return words.count > 1 ? Int(words[1].prefix(3)) ?? 0 : 0
  }
}
