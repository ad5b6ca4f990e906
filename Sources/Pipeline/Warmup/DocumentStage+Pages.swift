internal import Download
internal import Media
internal import Sandbox
internal import SharedCache

extension DocumentStage {
  /// A page that a job or a warm-up has had fetched and that is still fresh, as a document; nil where
  /// there is none.
  func recalledPage(
    _ address: WebAddress, _ item: WarmItem, deadline: Deadline
  ) async -> WarmDocument? {
    let key = SourceKey(url: address.description, variant: item.accept)
    let found = await blocking.run { [cache] () -> (SourceRecord, LocalInput)? in
      guard let record = cache.lookUp(key),
        PageSniffer.judge(record.format, contentType: record.contentType) == nil,
        isUsable(record.freshness, since: record.responseTime),
        let input = try? cache.input(of: record.original)
      else { return nil }
      return (record, input)
    }
    guard let (record, input) = found, let base = WebAddress(record.finalURL),
      let (form, body) = try? await parser.parse(
        input, contentType: record.contentType, base: base, deadline: deadline)
    else { return nil }
    let document = WarmDocument(
      url: item.url, finalURL: record.finalURL, fields: record.fields,
      requestTime: record.requestTime, responseTime: record.responseTime, form: form, body: body)
    await blocking.run { [documents] in documents.store(document) }
    return document
  }

  /// Keeps a page's bytes where jobs look for them, so that they ask for it no more while it is fresh:
  /// among the originals, which nobody is served. What finds no room is asked for again.
  func keep(_ page: LocalInput, _ arrival: Arrival) async {
    _ = try? await blocking.run { [cache] () throws(CacheFailure) in
      try arrival.keep(page: page, in: cache)
    }
  }

  /// Makes the kept page as fresh as the document, where the origin's answer speaks of it too.
  func renewPage(by arrival: Arrival) async {
    await blocking.run { [cache] in
      guard let record = cache.lookUp(arrival.key), record.fields.isConfirmed(by: arrival.fields)
      else { return }
      _ = try? cache.refresh(
        record, by: arrival.fields, requestTime: arrival.requestTime,
        responseTime: arrival.responseTime)
    }
  }
}
