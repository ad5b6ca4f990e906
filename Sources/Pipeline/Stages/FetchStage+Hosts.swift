internal import Download
internal import Media
internal import SharedCache

extension FetchStage {
  /// Refuses an address whose host is not to be asked, cached copies included.
  func checkHost(_ address: WebAddress) throws(Problem) {
    guard let settings, !settings.value.hosts.rule(for: address.host).isAllowed else { return }
    throw Problem(
      .download, .addressNotAllowed, "the settings do not allow \(address.host)",
      url: address.redacted)
  }

  /// How long a copy may be used, within what the operator lays down for its host.
  func freshness(of record: SourceRecord) -> Freshness {
    var freshness = record.freshness
    guard let rule = settings?.value.hosts.rule(for: record.key.host) else { return freshness }
    if let least = rule.leastFreshness?.wholeMilliseconds {
      freshness.lifetime = max(freshness.lifetime, least)
      freshness.alwaysRevalidates = false
      // A lifetime that the operator gives counts from the answer, not from its age elsewhere.
      freshness.initialAge = min(freshness.initialAge, freshness.lifetime - least)
    }
    if let most = rule.mostFreshness?.wholeMilliseconds {
      freshness.lifetime = min(freshness.lifetime, most)
    }
    return freshness
  }
}
