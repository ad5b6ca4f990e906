import Foundation
import Origin
import TestSupport
import Testing

/// Caches that have no room for what jobs want.
@Suite(.timeLimit(.minutes(15))) struct SmallCacheTests {
  private func files(_ area: String, of site: borrowing JobSite) throws -> [String] {
    let folder = site.root.path(of: "cache/\(area)")
    return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.count > 2 }
  }

  @Test func `A job is complete though the cache has room for none of its bytes`() async throws {
    let site = try JobSite.make()
    try await site.submit("job", image: "/jpeg/baseline.jpg?cache=max-age%3D600")
    try await site.drain(["--cache-size", "1kB", "--min-free", "0"])
    let manifest = try site.manifest("job")
    #expect(manifest.content.status == "complete" && manifest.codes.isEmpty)
    #expect(try files("objects", of: site).isEmpty && files("originals", of: site).isEmpty)
  }

  @Test func `Where only the download has no room, its renditions are kept for later jobs`()
    async throws
  {
    let site = try JobSite.make()
    let address = "/jpeg/large.jpg?cache=max-age%3D600"
    for id in ["first", "second"] {
      try await site.submit(id, image: address)
      try await site.drain(["--profile", "thumb", "--cache-size", "60kB", "--min-free", "0"])
      #expect(try site.manifest(id).content.status == "complete")
    }
    #expect(try files("originals", of: site).isEmpty)
    #expect(try files("objects", of: site).count == 1)
    #expect(site.origin.requests.count == 1)
  }

  @Test func `A disk that must keep its reserve takes nothing, and the manifest says why`()
    async throws
  {
    let site = try JobSite.make()
    try await site.submit("job", image: "/jpeg/baseline.jpg?cache=max-age%3D600")
    try await site.drain(["--min-free", "1000000GB"])
    let manifest = try site.manifest("job")
    #expect(manifest.content.status == "complete")
    #expect(manifest.content.problems.map(\.severity) == ["note"])
    #expect(manifest.codes == ["diskFull"])
    #expect(try files("objects", of: site).isEmpty && files("originals", of: site).isEmpty)
  }

  @Test func `What phones fetch is kept above the size`() async throws {
    let site = try JobSite.make()
    try await site.submit("job", image: "/jpeg/baseline.jpg?cache=max-age%3D600")
    try await site.drain([
      "--cache-size", "1kB", "--min-free", "0", "--public-base-url", "https://p.example/",
    ])
    let manifest = try site.manifest("job")
    #expect(manifest.content.status == "complete")
    let name = "\(try manifest.rendition().sha256).jpg"
    #expect(try files("objects", of: site).map { String($0.dropFirst(3)) } == [name])
  }
}
