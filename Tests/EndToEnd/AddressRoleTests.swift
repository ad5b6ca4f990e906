import Origin
import TestSupport
import Testing

/// One address asked for in several roles: that it is nothing for one says nothing of the others.
@Suite(.timeLimit(.minutes(15))) struct AddressRoleTests {
  private static func media(_ id: String, _ address: String, at site: borrowing JobSite)
    async throws
  {
    try await site.submit(id, image: nil, more: ["media": [address]])
    try await site.drain()
    #expect(try site.manifest(id).content.status == "textOnly")
    #expect(try site.manifest(id).codes.contains("unsupportedFormat"))
  }

  private static func picture(_ id: String, _ address: String, at site: borrowing JobSite)
    async throws -> ManifestFile.Attachment?
  {
    try await site.submit(id, image: address)
    try await site.drain()
    let manifest = try site.manifest(id)
    #expect(manifest.content.status == "complete", "\(manifest.content.problems)")
    return manifest.content.attachments.first
  }

  @Test func `What is no film is a picture all the same, and is not asked for as a film again`()
    async throws
  {
    let site = try JobSite.make()
    let address = site.origin.url("/jpeg/baseline.jpg")
    try await Self.media("film", address, at: site)
    #expect(try await Self.picture("picture", address, at: site)?.rung == "full")
    #expect(site.origin.requests.count == 2)
    try await Self.media("again", address, at: site)
    #expect(site.origin.requests.count == 2)
  }

  @Test func `A picture asked for as a film in between is a picture as before`() async throws {
    let site = try JobSite.make()
    let address = site.origin.url("/jpeg/baseline.jpg?cache=max-age%3D0")
    #expect(try await Self.picture("first", address, at: site)?.rung == "full")
    try await Self.media("film", address, at: site)
    #expect(try await Self.picture("second", address, at: site)?.rung == "full")
  }

  @Test func `A fresh picture asked for as a film costs no request, and stays`() async throws {
    let site = try JobSite.make()
    let address = site.origin.url("/jpeg/baseline.jpg?cache=max-age%3D3600")
    #expect(try await Self.picture("first", address, at: site)?.rung == "full")
    try await Self.media("film", address, at: site)
    let second = try await Self.picture("second", address, at: site)
    #expect(second?.rung == "full" && second?.source.cache == "hit")
    #expect(site.origin.requests.count == 1)
  }

  @Test func `The stale copy of a page is no picture and no film, whatever the origin answers`()
    async throws
  {
    let page = #"<!doctype html><title>A title</title><meta property="og:image" content="/0.jpg">"#
    let warm = try WarmSite.make(pictures: 1, ["page.html": page])
    for query in [
      "cache=max-age%3D0&etag=%22a%22", "cache=max-age%3D0,stale-while-revalidate%3D99",
    ] {
      let address = warm.url("/page.html?type=text/html&\(query)")
      let name = query.contains("etag") ? "tagged" : "lenient"
      try await warm.site.submit("\(name)-page", image: nil, more: ["url": address])
      try await warm.site.drain()
      #expect(try warm.site.manifest("\(name)-page").content.status == "complete")
      try await warm.site.submit("\(name)-picture", image: address)
      try await warm.site.submit("\(name)-film", image: nil, more: ["media": [address]])
      try await warm.site.drain()
      for role in ["picture", "film"] {
        let codes = try warm.site.manifest("\(name)-\(role)").codes
        #expect(codes.first == "notMedia" && !codes.contains("decoderCrashed"), "\(codes)")
      }
    }
  }

  @Test func `A page's stale copy does not hide why a picture cannot be had`() async throws {
    let warm = try WarmSite.make(
      pictures: 1, ["page.html": "<!doctype html><title>A title</title>"])
    let address = warm.url("/page.html?type=text/html&cache=max-age%3D0")
    try await warm.site.submit("page", image: nil, more: ["url": address])
    try await warm.site.drain()
    warm.site.origin.stop()
    for id in ["first", "again"] {
      try await warm.site.submit(id, image: address)
      try await warm.site.drain()
      #expect(try warm.site.manifest(id).codes.first == "connectFailure")
    }
  }

  @Test func `A picture's stale copy shows as one where a page is asked for in vain`() async throws
  {
    let site = try JobSite.make()
    let address = site.origin.url("/jpeg/baseline.jpg?cache=max-age%3D0")
    #expect(try await Self.picture("picture", address, at: site)?.rung == "full")
    site.origin.stop()
    try await site.submit("page", image: nil, more: ["url": address])
    try await site.drain()
    #expect(try site.manifest("page").content.attachments.map(\.rung) == ["stale"])
  }

  @Test func `One job may ask for an address as picture and as film`() async throws {
    let site = try JobSite.make()
    let address = site.origin.url("/jpeg/baseline.jpg")
    try await site.submit("both", image: address, more: ["media": [address]])
    try await site.drain()
    let manifest = try site.manifest("both").content
    #expect(manifest.status == "degraded")
    #expect(manifest.attachments.map(\.rung) == ["full"])
  }

  @Test func `What is too large for a picture is still read as a page`() async throws {
    let page =
      "<!doctype html><title>A title</title>"
      + #"<meta property="og:image" content="/0.jpg"><p>"#
    let warm = try WarmSite.make(
      pictures: 1, ["page.html": page + String(repeating: "A word. ", count: 40_000)])
    let address = warm.url("/page.html?type=text/html")
    try await warm.site.submit("picture", image: address)
    try await warm.site.drain(["--max-download", "200kB"])
    #expect(try warm.site.manifest("picture").codes.contains("downloadTooLarge"))
    try await warm.site.submit("page", image: nil, more: ["url": address])
    try await warm.site.drain(["--max-download", "200kB"])
    let manifest = try warm.site.manifest("page").content
    #expect(manifest.attachments.map(\.rung) == ["full"], "\(manifest.problems)")
  }
}
