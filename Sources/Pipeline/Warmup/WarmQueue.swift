internal import SharedCache

/// What waits, by host: each host gets at most so many at once, and none while it asked to be left
/// alone. Pictures go before what would bring more.
struct WarmQueue {
  private struct Host {
    var pictures: [WarmItem] = []
    var documents: [WarmItem] = []
    var running = 0
    var isQueued = false

    var isEmpty: Bool { pictures.isEmpty && documents.isEmpty }
  }

  private let perHost: Int
  private var hosts: [String: Host] = [:]
  /// Hosts with work and room, in turn.
  private var ready: [String] = []
  private var readyStart = 0
  private var paused: [String: Int64] = [:]
  private(set) var count = 0

  init(perHost: Int) {
    self.perHost = perHost
  }

  /// Appends, or puts before all others where the item has waited already.
  mutating func add(_ item: WarmItem) {
    let name = item.host
    count += 1
    if item.isDocument {
      hosts[name, default: Host()].documents.append(item)
    } else {
      hosts[name, default: Host()].pictures.append(item)
    }
    queue(name)
  }

  /// The next item whose host has room; the caller tells when it is done.
  mutating func next(_ pauses: HostPauses, now: Int64) -> WarmItem? {
    wake(now)
    while readyStart < ready.count {
      let name = ready[readyStart]
      readyStart += 1
      compact()
      hosts[name]?.isQueued = false
      if let end = pauses.end(of: name, now: now) {
        paused[name] = end
        continue
      }
      guard let item = take(name) else { continue }
      queue(name)
      return item
    }
    return nil
  }

  mutating func done(_ host: String) {
    hosts[host]?.running -= 1
    if let state = hosts[host], state.running == 0, state.isEmpty { hosts[host] = nil }
    queue(host)
  }

  /// When the first paused host may be asked again, milliseconds since 1970.
  var nextWake: Int64? { paused.values.min() }

  private mutating func take(_ name: String) -> WarmItem? {
    guard var host = hosts.removeValue(forKey: name) else { return nil }
    defer { hosts[name] = host }
    // From the end: a run reads a page and then its pictures, and holds few at a time.
    guard let item = host.pictures.popLast() ?? host.documents.popLast() else { return nil }
    host.running += 1
    count -= 1
    return item
  }

  private mutating func queue(_ name: String) {
    guard let host = hosts[name], !host.isQueued, !host.isEmpty, host.running < perHost,
      paused[name] == nil
    else { return }
    hosts[name]?.isQueued = true
    ready.append(name)
  }

  private mutating func wake(_ now: Int64) {
    guard !paused.isEmpty else { return }
    for (name, end) in paused where end <= now {
      paused[name] = nil
      queue(name)
    }
  }

  private mutating func compact() {
    guard readyStart > 1024, readyStart > ready.count / 2 else { return }
    ready.removeFirst(readyStart)
    readyStart = 0
  }
}
