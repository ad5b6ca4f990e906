internal import Download
internal import Files
internal import Media
internal import SharedCache
internal import Synchronization

/// What came of a download before it failed, as a picture child reads it.
struct Beginning: Sendable {
  let input: LocalInput
  /// Whether a later job may be shown it too: not against the origin's word (RFC 9111 §3, §4.2.4).
  let mayBeKept: Bool

  /// Keeps the beginning of a picture among the originals, counted and evicted as they are; nil where
  /// that may not or cannot be.
  func keep(in cache: SharedCache) -> ContentHash? {
    guard mayBeKept, input.format.kind == .image else { return nil }
    return try? cache.publish(
      copying: input.descriptor, range: 0..<input.byteCount, as: .original
    ).name.hash
  }
}

/// The header fields of a transfer that may yet fail.
final class ReceivedHeader: Sendable {
  private let fields = Mutex<ResponseFields?>(nil)

  func note(_ header: HeaderFields) {
    let noted = ResponseFields(header)
    fields.withLock { $0 = noted }
  }

  /// Whether what came under it may be used without asking once more, when the origin fails.
  func allowsReuse(since requestTime: Int64) -> Bool {
    guard let fields = fields.withLock({ $0 }) else { return false }
    let freshness = Freshness(fields, requestTime: requestTime, responseTime: WallClock.now())
    return freshness.isStorable && !freshness.forbidsStale
  }
}

extension TemporaryObject {
  /// What a failed download left; nil where that is nothing.
  borrowing func beginning(_ header: ReceivedHeader, _ requestTime: Int64) -> Beginning? {
    guard let isInMemory = try? isInMemory(), let file = try? reopen() else { return nil }
    // A child gets a file that it cannot change.
    if isInMemory { guard (try? MemoryFile.seal(file)) != nil else { return nil } }
    guard let input = try? LocalInput(adopting: file),
      input.byteCount > 0
    else { return nil }
    return Beginning(input: input, mayBeKept: header.allowsReuse(since: requestTime))
  }
}

extension FetchedPicture {
  /// The beginning that a failed download left.
  init?(beginningAfter fault: DownloadFault, key: SourceKey) {
    guard case .download(_, let address, let beginning?) = fault,
      let content = try? beginning.input.descriptor.contentHash().hash
    else { return nil }
    self.init(
      beginning.input, content, url: key.url, finalURL: address.description, .miss, fault.problem)
  }

  /// The beginning that a remembered failure keeps; nil where it is gone. It is never taken for the
  /// whole: it comes with its shortfall alone.
  init?(
    beginningOf failure: FailureRecord, in cache: SharedCache, url: String,
    _ cacheUse: Manifest.Source.CacheUse, _ problem: Problem
  ) {
    guard let content = failure.beginning, let input = try? cache.input(of: content) else {
      return nil
    }
    self.init(input, content, url: url, finalURL: url, cacheUse, problem)
    // Of the jobs that come meanwhile one decodes.
    mayKeepRenditions = true
  }

  private init(
    _ input: LocalInput, _ content: ContentHash, url: String, finalURL: String,
    _ cacheUse: Manifest.Source.CacheUse, _ shortfall: Problem
  ) {
    self.init(
      url: url, finalURL: finalURL, content: content, byteCount: input.byteCount,
      format: input.format, cacheUse: cacheUse, body: .held(input))
    self.shortfall = shortfall
  }
}
