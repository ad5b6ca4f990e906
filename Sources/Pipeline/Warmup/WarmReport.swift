package import Media

/// What a run did.
package struct WarmReport: Sendable, Hashable {
  /// Pictures downloaded.
  package var fetched = 0
  /// Pictures of which the cache has a fresh copy: no request.
  package var fresh = 0
  /// Pictures that the origin said have not changed.
  package var revalidated = 0
  /// Pages, feeds, sitemaps and lists read anew, unchanged, and still fresh.
  package var documents = Documents()
  /// By problem code.
  package var failures: [Problem.Code: Int] = [:]
  /// Files of the command line that could not be read.
  package var unreadable = 0
  /// Done by an earlier run that was cut short.
  package var resumed = 0
  /// For the next run: time was over, or a host asked to wait.
  package var left = 0
  package var elapsed = Duration.zero
  /// Another run was at work: nothing was done.
  package var isBusy = false

  package struct Documents: Sendable, Hashable {
    package var read = 0
    package var revalidated = 0
    package var fresh = 0
  }

  package init() {}

  package var failed: Int { failures.values.reduce(0, +) }

  /// Counts a picture, or takes it back.
  mutating func note(_ use: Manifest.Source.CacheUse, by step: Int = 1) {
    switch use {
    case .miss: fetched += step
    case .hit, .coalesced: fresh += step
    case .revalidated: revalidated += step
    case .stale: break
    }
  }
}

extension WarmReport {
  /// The object that `warm --json` prints.
  package var json: JSONValue {
    var classes: JSONObject = [:]
    for (code, count) in failures.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      classes.members.append(.init(name: code.rawValue, value: JSONValue(count)))
    }
    return [
      "status": .string(isBusy ? "busy" : left > 0 ? "partial" : "done"),
      "fetched": JSONValue(fetched), "fresh": JSONValue(fresh),
      "revalidated": JSONValue(revalidated), "failed": JSONValue(failed),
      "failures": .object(classes), "unreadable": JSONValue(unreadable),
      "documents": [
        "read": JSONValue(documents.read), "revalidated": JSONValue(documents.revalidated),
        "fresh": JSONValue(documents.fresh),
      ],
      "resumed": JSONValue(resumed), "left": JSONValue(left),
      "milliseconds": JSONValue(Int(clamping: elapsed.wholeMilliseconds)),
    ]
  }

  /// The line that `warm` prints.
  package var line: String {
    let classes = failures.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
    let read = documents.read + documents.revalidated + documents.fresh
    return """
      fetched \(fetched), fresh \(fresh), revalidated \(revalidated), \
      failed \(failed)\(failed > 0 ? " (\(classes))" : "")\
      \(unreadable > 0 ? ", unreadable files \(unreadable)" : ""); \
      pages and lists \(read) (\(documents.revalidated) unchanged, \(documents.fresh) fresh); \
      \(resumed > 0 ? "done before \(resumed), " : "")left \(left)
      """
  }
}
