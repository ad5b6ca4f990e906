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
