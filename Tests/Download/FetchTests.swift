import Download
import Files
import Media
import Origin
import Testing

@Suite("Fetching a body", .timeLimit(.minutes(2)))
struct FetchTests {
  @Test("A plain body arrives whole, with what a cache must know")
  func plainBody() async throws {
    let origin = try OriginServer()
    let result = try await Fetch(origin).run("/a.png?size=70000&etag=%22v1%22&cache=max-age%3D60")
    let response = try result.response.get()
    #expect(response.status == 200)
    #expect(response.byteCount == 70_000)
    #expect(result.bytes == OriginServer.picture(70_000))
    #expect(response.headers["ETag"] == "\"v1\"")
    #expect(response.headers["Cache-Control"] == "max-age=60")
    #expect(response.headers["Content-Type"] == "image/png")
    #expect(
      response.finalAddress.description
        == origin.url("/a.png?size=70000&etag=%22v1%22&cache=max-age%3D60"))
    #expect(
      origin.requests.first?.headers["user-agent"] == "Wirephoto/1.0 (+https://example.org; bot)")
    #expect(origin.requests.first?.headers["accept-encoding"] == nil)
  }
}
