internal import Download
internal import Files
internal import Media
internal import SharedCache

/// An answer of the origin, with the times that caching goes by.
struct Arrival: Sendable {
  let response: DownloadResponse
  let requestTime: Int64
  let responseTime: Int64
  let key: SourceKey
  /// What the bytes are good for where they are but the file's beginning; nil where they are all.
  let beginning: FileBeginning?

  init(
    response: DownloadResponse, requestTime: Int64, key: SourceKey, beginning: FileBeginning? = nil
  ) {
    self.beginning = beginning
    self.response = response
    self.requestTime = requestTime
    self.responseTime = WallClock.now()
    self.key = key
  }

  /// What caching goes by, the redirects on the way included.
  var fields: ResponseFields {
    ResponseFields(response.headers).reached(
      by: response.redirects.map { .init(status: $0.status, fields: .init($0.headers)) },
      requestTime: requestTime, responseTime: responseTime)
  }

  /// Publishes the body as an original; in memory alone where the answer forbids keeping it, or the
  /// index is too busy to count it.
  func keep(
    _ body: Handover<TemporaryObject>, in cache: SharedCache
  ) throws(CacheFailure) -> FetchedPicture {
    guard let temporary = body.take() else { throw .deadlineExceeded }
    let freshness = Freshness(fields, requestTime: requestTime, responseTime: responseTime)
    guard freshness.isStorable else {
      let picture = try hold(temporary.descriptor)
      // Nothing is kept but that nothing may be: downloads need not wait for each other.
      _ = try? cache.store(record(picture.content, picture.byteCount, picture.format))
      return picture
    }
    // The next job may have the time for all of it.
    if beginning?.isHurried ?? false { return try hold(temporary.descriptor) }
    let format = try self.format(of: temporary.descriptor)
    let spare = try reopened(temporary)
    let stored: StoredObject
    do throws(CacheFailure) {
      stored = try cache.publish(temporary, as: .original, expecting: response.byteCount)
    } catch {
      guard error.leavesUnkept else { throw error }
      return try hold(spare, insteadOf: error, in: cache)
    }
    let record = record(stored.name.hash, stored.bytes, format)
    // Without a row the next job downloads again; this one has its bytes.
    _ = try? cache.store(record)
    return FetchedPicture(record, cacheUse: .miss).noting(beginning)
  }

  /// Publishes a page that was read already, for those who want it later: the beginning that they
  /// would read.
  func keep(page: LocalInput, in cache: SharedCache) throws(CacheFailure) {
    let bytes = min(page.byteCount, PageStage.byteLimit)
    let freshness = Freshness(fields, requestTime: requestTime, responseTime: responseTime)
    guard freshness.isStorable else {
      guard let nothing = ContentHash.of([UInt8]()) else { return }
      // That it may not be kept is.
      try cache.store(record(nothing, bytes, page.format))
      return
    }
    let stored = try cache.publish(copying: page.descriptor, range: 0..<bytes, as: .original)
    try cache.store(record(stored.name.hash, stored.bytes, page.format))
  }

  private func record(
    _ content: ContentHash, _ byteCount: Int, _ format: MediaFormat
  ) -> SourceRecord {
    SourceRecord(
      key: beginning == nil ? key : key.beginning, finalURL: response.finalAddress.description,
      fields: fields,
      requestTime: requestTime, responseTime: responseTime, original: content, bytes: byteCount,
      format: format,
      facts: Array((beginning?.text ?? response.headers["content-type"] ?? "").utf8.prefix(256)))
  }

  private func format(of file: borrowing Descriptor) throws(CacheFailure) -> MediaFormat {
    do throws(SystemCallFailure) {
      return MediaFormat.sniff(try file.read(at: 0, count: LocalInput.headLength))
    } catch {
      throw CacheFailure(error)
    }
  }

  /// Bytes for which there is no room are the job's alone; what is made from them is much smaller,
  /// and may find room. That they were had is noted, so that of many jobs one asks the origin.
  private func hold(
    _ file: borrowing Descriptor, insteadOf failure: CacheFailure, in cache: SharedCache
  ) throws(CacheFailure) -> FetchedPicture {
    var picture = try hold(file)
    guard case .noRoom = failure else {
      switch failure {
      case .reserveReached(let reason), .diskFull(let reason):
        picture.problems.append(Problem(.store, .diskFull, "not kept: \(reason)", severity: .note))
      default: break
      }
      return picture
    }
    _ = try? cache.store(record(picture.content, picture.byteCount, picture.format))
    picture.mayKeepRenditions = true
    return picture
  }

  private func reopened(
    _ temporary: borrowing TemporaryObject
  ) throws(CacheFailure) -> Descriptor {
    do throws(SystemCallFailure) {
      return try temporary.reopen()
    } catch {
      throw CacheFailure(error)
    }
  }

  private func hold(_ file: borrowing Descriptor) throws(CacheFailure) -> FetchedPicture {
    do throws(SystemCallFailure) {
      let bytes = try file.read(at: 0, count: response.byteCount)
      var picture = try FetchedPicture(
        holding: bytes, url: key.url, finalURL: response.finalAddress.description, cacheUse: .miss)
      picture.contentType = response.headers["content-type"]
      return picture.noting(beginning)
    } catch {
      throw CacheFailure(error)
    }
  }
}

extension FetchedPicture {
  /// The same, known to be a beginning where there is one.
  fileprivate func noting(_ beginning: FileBeginning?) -> FetchedPicture {
    var picture = self
    picture.isBeginning = beginning != nil
    picture.isHurried = beginning?.isHurried ?? false
    return picture
  }

  /// A picture whose bytes came from elsewhere than the cache and are not kept.
  init(
    holding bytes: [UInt8], url: String, finalURL: String?, cacheUse: Manifest.Source.CacheUse
  ) throws(SystemCallFailure) {
    guard let content = ContentHash.of(bytes) else {
      throw SystemCallFailure("EVP_DigestFinal_ex", number: 0)
    }
    let input = try LocalInput(
      adopting: MemoryFile.sealed("picture", holding: bytes))
    self.init(
      url: url, finalURL: finalURL, content: content, byteCount: bytes.count,
      format: input.format, cacheUse: cacheUse, body: .held(input))
  }
}

extension ResponseFields {
  init(_ headers: HeaderFields) {
    self.init(
      HeaderFields.kept.sorted().compactMap { name in
        headers[name].map { ResponseFields.Field(name, $0) }
      })
  }
}
