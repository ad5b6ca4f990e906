internal import Files

/// One run of the elected evictor: at most so many objects, so that those who wait for it are not
/// kept long. Files go before their rows: what a crash leaves is a row without a file, a miss.
struct Evictor: ~Copyable {
  static let pageSize = 64
  static let objectsPerRun = 256

  private let cache: SharedCache
  private let limits: CacheLimits
  /// Bytes that someone is about to publish.
  private let wanted: Int
  private let now: Int64
  private var report = EvictionReport()
  private var bytesToFree = 0
  private var spaceToFree = 0

  init(_ cache: SharedCache, _ limits: CacheLimits, wanted: Int = 0, now: Int64) {
    self.cache = cache
    self.limits = limits
    self.wanted = wanted
    self.now = now
  }

  consuming func run() throws(CacheFailure) -> EvictionReport {
    try cache.index.releasePublished(now: now)
    try measure()
    for kind in EvictionClass.bySize where !isDone { try evict(kind) }
    if spaceToFree > 0 && !isDone { try evict(EvictionClass.published) }
    try conclude()
    return report
  }

  private var isDone: Bool {
    bytesToFree <= 0 && spaceToFree <= 0
      || report.evicted + report.settled >= Self.objectsPerRun
  }

  private mutating func measure() throws(CacheFailure) {
    let size = try cache.indexedBytes().addingReportingOverflow(wanted).partialValue
    let bound = wanted > 0 ? limits.maxBytes : limits.highWater
    bytesToFree = size > bound ? size - limits.lowWater : 0
    spaceToFree = limits.minFree - (try cache.freeBytes())
  }

  private mutating func conclude() throws(CacheFailure) {
    report.remaining = try cache.indexedBytes()
    let free = try cache.freeBytes()
    report.limitsHold = report.remaining <= limits.maxBytes && free >= limits.minFree
    if !report.limitsHold { report.publishedBytes = try cache.index.publishedBytes() }
  }

  private mutating func evict(_ kind: EvictionClass) throws(CacheFailure) {
    var position = EvictionCandidate.beginning
    while !isDone {
      let page = try cache.index.candidates(kind, after: position, count: Self.pageSize)
      guard let last = page.last else { return }
      position = last.position
      guard try evict(page, of: kind) else { return }
    }
  }

  /// False once the objects are too young: so are all after them.
  private mutating func evict(
    _ page: [EvictionCandidate], of kind: EvictionClass
  ) throws(CacheFailure) -> Bool {
    var gone: [EvictionCandidate] = []
    var linked: [ObjectName] = []
    var reachedYouth = false
    for candidate in page where !isDone {
      if candidate.isYoung(at: now) {
        reachedYouth = true
        break
      }
      switch try fate(of: candidate, kind) {
      case .gone: gone.append(candidate)
      case .linked: linked.append(candidate.name)
      case .stays: break
      }
    }
    try cache.index.forget(gone)
    try cache.index.setHolding(.linked, linked)
    return !reachedYouth
  }

  private enum Fate {
    case gone, linked, stays
  }

  private mutating func fate(
    of candidate: EvictionCandidate, _ kind: EvictionClass
  ) throws(CacheFailure) -> Fate {
    guard let status = try cache.objects.status(of: candidate.name) else {
      bytesToFree -= candidate.bytes
      report.settled += 1
      return .gone
    }
    // Published once more since its row was read.
    let modified = status.modified / 1_000_000
    if modified > candidate.created && EvictionCandidate.isYoung(modified, at: now) {
      return .stays
    }
    let isLinked = status.links > 1
    if isLinked && kind.holding == .none {
      report.settled += 1
      return .linked
    }
    // To remove one name of several frees no space.
    if isLinked && bytesToFree <= 0 { return .stays }
    try cache.objects.remove(candidate.name)
    report.evicted += 1
    report.bytes += candidate.bytes
    bytesToFree -= candidate.bytes
    if !isLinked { spaceToFree -= candidate.bytes }
    return .gone
  }
}
