import Foundation
import Origin
import TestSupport
import Testing

/// `jobs erase` and what the cache holds of a job (contract §3).
@Suite(.timeLimit(.minutes(15))) struct ErasingTests {
  /// What is left of cached files and of what warm-ups know.
  private func leftovers(_ site: borrowing JobSite) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: site.cache).filter { path in
      ["objects/", "originals/", "warm/documents/"].contains { path.hasPrefix($0) }
        && (path.split(separator: "/").last?.count ?? 0) > 2 && path != "warm/documents"
    }
  }

  private func run(_ arguments: [String]) async throws -> CommandOutcome {
    try await Command.built("wirephoto", arguments).run()
  }

  private func stats(_ site: borrowing JobSite) async throws -> [String: Int] {
    let outcome = try await run(["cache", "stats", "--cache", site.cache, "--json"])
    let all = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
    return (all ?? [:]).compactMapValues { $0 as? Int }
  }

  @Test
  func `An erased job leaves nothing in the cache, neither file nor row nor warm-up's memory`()
    async throws
  {
    let warm = try WarmSite.make(
      pictures: 1,
      [
        "page.html":
          #"<title>T</title><meta property="og:image" content="/0.jpg?cache=max-age%3D900">"#
      ]
    )
    let page = warm.url("/page.html?cache=max-age%3D900")
    _ = try await warm.warm(page)
    try await warm.site.submit("job", image: nil, more: ["url": page])
    try await warm.site.submit("broken", image: "/0.jpg?close=50&cache=max-age%3D9")
    try await warm.site.submit("dead", image: "/none.jpg")
    try await warm.site.drain()
    #expect(try warm.site.manifest("job").content.status == "complete")
    #expect(try leftovers(warm.site).count >= 4)
    let erased = try await run(
      ["jobs", "erase", warm.site.jobs, "job", "broken", "dead", "--cache", warm.site.cache])
    #expect(erased.ending == .exited(0), "\(erased.errorText)")
    #expect(try leftovers(warm.site) == [])
    let known = try await stats(warm.site)
    for key in ["sources", "renditions", "failures", "poisoned", "objects", "originals"] {
      #expect(known[key] == 0, "\(key)")
    }
    for folder in ["incoming", "active", "done", "failed", "outbox"] {
      #expect(try warm.site.names(folder).isEmpty)
    }
  }

  @Test func `A film's own file goes with its job, and what another job has made too stays`()
    async throws
  {
    let site = try JobSite.make()
    let film = site.origin.url("/video/h264.mp4?cache=max-age%3D900")
    try await site.submit("film", image: nil, more: ["media": [film]])
    for id in ["one", "two"] {
      try await site.submit(id, image: "/jpeg/baseline.jpg?\(id)&cache=max-age%3D900")
    }
    try await site.drain()
    #expect(try site.names("outbox").count == 3)
    let all = try leftovers(site).count
    #expect(try leftovers(site).contains { $0.hasSuffix(".mp4") })
    _ = try await run(["jobs", "erase", site.jobs, "film", "--cache", site.cache])
    let afterFilm = try leftovers(site)
    #expect(!afterFilm.contains { $0.hasSuffix(".mp4") } && afterFilm.count < all)
    _ = try await run(["jobs", "erase", site.jobs, "one", "--cache", site.cache])
    // The same picture came from another address, which is known still.
    #expect(try leftovers(site) == afterFilm)
    _ = try await run(["jobs", "erase", site.jobs, "two", "--cache", site.cache])
    #expect(try leftovers(site).isEmpty)
  }
}
