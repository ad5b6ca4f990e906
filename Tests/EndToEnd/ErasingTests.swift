import Files
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

  private func objects(_ site: borrowing JobSite) throws -> [String] {
    try leftovers(site).filter { $0.hasPrefix("objects/") }
  }

  @Test(arguments: ["max-age%3D900", "no-store"])
  func `What another job publishes too stays until that one is erased, taken away or not`(
    caching: String
  ) async throws {
    let warm = try WarmSite.make(
      pictures: 2,
      [
        "page.html":
          #"<title>T</title><meta property="og:image" content="/0.jpg?cache=\#(caching)">"#
      ])
    try warm.folder.write(
      try FileBytes.read(Project.path("media-samples/png/rgb-16.png")), to: "1.jpg")
    let shared = "/0.jpg?cache=\(caching)"
    for id in ["first", "second"] { try await warm.site.submit(id, image: shared) }
    try await warm.site.submit(
      "page", image: nil, more: ["url": warm.url("/page.html?cache=\(caching)")])
    try await warm.site.submit("other", image: "/1.jpg?cache=\(caching)")
    try await warm.site.drain(["--public-base-url", "https://pictures.example/objects/"])
    _ = try await run(["outbox", "ack", warm.site.jobs, "page"])
    let all = try objects(warm.site)
    #expect(all.count == 2)
    for id in ["first", "second"] {
      _ = try await run(["jobs", "erase", warm.site.jobs, id, "--cache", warm.site.cache])
      #expect(try objects(warm.site) == all, "\(id)")
    }
    _ = try await run(["jobs", "erase", warm.site.jobs, "page", "--cache", warm.site.cache])
    #expect(try objects(warm.site).count == 1)
    let other = try warm.site.manifest("other").rendition().sha256
    #expect(try objects(warm.site).first?.contains(other) == true)
    #expect(try leftovers(warm.site).count == (caching == "no-store" ? 1 : 2))
  }

  @Test
  func `Of a page's job the pictures go too, though its result was taken away and it names none`()
    async throws
  {
    let warm = try WarmSite.make(
      pictures: 2,
      [
        "page.html": """
        <title>T</title><meta property="og:image" content="/none.jpg">
        <meta name="twitter:image" content="./0.jpg?cache=max-age%3D900">
        """
      ])
    let page = warm.url("/page.html?cache=max-age%3D900")
    try await warm.site.submit("page", image: nil, more: ["url": page])
    try await warm.site.submit(
      "relative", image: "./1.jpg?cache=max-age%3D900", more: ["url": page])
    try await warm.site.drain(["--keep-done", "0"])
    #expect(try warm.site.manifest("page").content.status == "complete")
    #expect(try warm.site.manifest("relative").content.status == "complete")
    for id in ["page", "relative"] {
      #expect(try await run(["outbox", "ack", warm.site.jobs, id]).ending == .exited(0))
      _ = try await run(["jobs", "erase", warm.site.jobs, id, "--cache", warm.site.cache])
    }
    #expect(try leftovers(warm.site) == [])
    let known = try await stats(warm.site)
    for key in ["sources", "renditions", "failures", "objects", "originals"] {
      #expect(known[key] == 0, "\(key)")
    }
    #expect(try warm.site.root.names(in: "jobs/.sources").isEmpty)
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
