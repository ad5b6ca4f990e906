import Files
import Foundation
import Glibc
import Media
import Origin
import TestSupport
import Testing

/// Jobs whose picture, title or publisher comes from their page, with the real programs.
@Suite(.timeLimit(.minutes(15))) struct PageJobTests {
  /// A site to serve: pages as given, a picture of 480 by 320, one of 32 by 32.
  private func makeSite(_ pages: [String: String]) async throws -> PageSite {
    let folder = try TemporaryDirectory()
    for (name, text) in pages { try folder.write(text, to: name) }
    try folder.write(
      try FileBytes.read(Project.path("media-samples/jpeg/baseline.jpg")), to: "large.jpg")
    let drawn = try await Command.tool(
      "convert-im6.q16", ["-size", "32x32", "gradient:red-blue", folder.path(of: "small.png")]
    ).run()
    try #require(drawn.ending == .exited(0))
    return PageSite(site: try JobSite.make(serving: folder.path), folder: folder)
  }

  private static let page = """
    <!doctype html><html><head><title>Window</title>
    <meta property="og:title" content="Fish &amp; chips"><meta property="og:image" content="large.jpg">
    <meta property="og:image:alt" content="A plate"><meta property="og:site_name" content="The Plaice">
    </head><body></body></html>
    """

  @Test(
    "An address that cannot be fetched gives its host and a problem, and is not complete",
    arguments: [
      "https://example.invalid:0/x", "http://example.invalid:6000/", "http://[fe80::1%25eth0]/",
    ])
  func unfetchable(address: String) async throws {
    let site = try await makeSite([:])
    try await site.submit(PayloadText.holding(address, form: "json"), name: "job.json")
    try await site.drain()
    let content = try site.manifest("job").content
    #expect(content.status == "textOnly")
    #expect(content.problems.map(\.code).contains("unsupportedURL"))
    let title = try #require(content.notification.title)
    #expect(address.contains(title))
  }

  @Test(
    "An address alone becomes a whole notification, whatever the payload's form",
    arguments: ["json", "plist", "webloc", "url", "txt"])
  func addressAlone(form: String) async throws {
    let site = try await makeSite(["page.html": Self.page])
    let address = site.url("/page.html?type=text/html")
    try await site.submit(PayloadText.holding(address, form: form), name: "job.\(form)")
    try await site.drain()
    let content = try site.manifest("job").content
    #expect(content.status == "complete")
    #expect(content.notification.title == "Fish & chips")
    #expect(content.notification.subtitle == "The Plaice")
    #expect(content.notification.url == address)
    let attachment = try #require(content.attachments.first)
    #expect(attachment.rung == "full")
    #expect(attachment.altText == "A plate")
    #expect(attachment.source.url == site.url("/large.jpg"))
    #expect(attachment.renditions.first?.width == 480)
    #expect(content.problems.isEmpty)
  }

  @Test func `What the payload gives is never replaced`() async throws {
    let site = try await makeSite(["page.html": Self.page])
    try await site.submit(
      #"{"title":"Mine","mediaCompany":"Me","altText":"My text","url":"\#(site.url("/page.html"))"}"#
    )
    try await site.drain()
    let content = try site.manifest("job").content
    #expect(content.status == "complete")
    #expect(content.notification.title == "Mine")
    #expect(content.notification.subtitle == "Me")
    #expect(content.attachments.first?.altText == "My text")
    #expect(content.attachments.first?.rung == "full")
  }

  @Test func `A page's picture is an alternate to one that the payload names`() async throws {
    let site = try await makeSite(["page.html": Self.page])
    let page = site.url("/page.html")
    try await site.submit(
      #"{"title":"T","url":"\#(page)","imageURL":"/gone.jpg","imageURLs":["/gone.png"]}"#)
    try await site.drain()
    let content = try site.manifest("job").content
    #expect(content.status == "degraded")
    #expect(content.attachments.first?.rung == "alternate")
    #expect(content.problems.map(\.code) == ["httpStatus", "httpStatus"])
  }

  @Test func `A page is not read where the payload's picture works`() async throws {
    let site = try await makeSite(["page.html": Self.page])
    try await site.submit(#"{"url":"\#(site.url("/page.html"))","imageURL":"/large.jpg"}"#)
    try await site.drain()
    let content = try site.manifest("job").content
    #expect(content.status == "complete")
    #expect(content.notification.title == "127.0.0.1")
    #expect(!site.requestedPaths.contains("/page.html"))
  }

  @Test func `A picture below 64 by 64 does not count, and the next does`() async throws {
    let site = try await makeSite([
      "page.html": """
      <meta property="og:image" content="/small.png"><meta name="twitter:image" content="/large.jpg">
      """
    ])
    try await site.submit(#"{"url":"\#(site.url("/page.html"))"}"#)
    try await site.drain()
    let content = try site.manifest("job").content
    #expect(content.status == "complete")
    #expect(content.attachments.first?.source.url == site.url("/large.jpg"))
    #expect(content.problems.map(\.code) == ["noPicture"])
    #expect(content.problems.map(\.stage) == ["page"])
  }

  @Test func `A touch icon is an icon, however small`() async throws {
    let site = try await makeSite([
      "page.html": "<title>T</title><link rel=apple-touch-icon href=small.png>"
    ])
    try await site.submit(#"{"url":"\#(site.url("/page.html"))"}"#)
    try await site.drain()
    let content = try site.manifest("job").content
    #expect(content.status == "degraded")
    #expect(content.attachments.first?.rung == "icon")
  }

  @Test func `Without a title the host stands for one, and for a publisher`() async throws {
    let site = try await makeSite(["page.html": "<p>Nothing but text"])
    try await site.submit(#"{"url":"\#(site.url("/page.html"))"}"#)
    try await site.drain()
    let content = try site.manifest("job").content
    #expect(content.status == "textOnly")
    #expect(content.notification.title == "127.0.0.1")
    #expect(content.notification.subtitle == "127.0.0.1")
    #expect(content.problems.map(\.code) == ["noPicture"])
  }

  @Test func `Pages are left alone where they should be`() async throws {
    let site = try await makeSite(["page.html": Self.page])
    try await site.submit(#"{"url":"\#(site.url("/page.html"))"}"#)
    try await site.drain(["--no-page-fetch"])
    let content = try site.manifest("job").content
    #expect(content.status == "complete")
    #expect(content.notification.title == "127.0.0.1")
    #expect(content.attachments.isEmpty && content.problems.isEmpty)
    #expect(site.requestedPaths.isEmpty)
  }

  @Test(
    "A page that cannot be had leaves text, and its reason",
    arguments: [
      ("/gone.html", "httpStatus"), ("/paper.html", "notMedia"),
      ("/page.html?loop", "tooManyRedirects"),
      ("/page.html?silent", "downloadTimeout"),
    ])
  func failures(path: String, code: String) async throws {
    let site = try await makeSite(["page.html": Self.page, "paper.html": "%PDF-1.4\n%%EOF"])
    try await site.submit(#"{"ttlSeconds":8,"url":"\#(site.url(path))"}"#)
    try await site.drain()
    let content = try site.manifest("job").content
    #expect(content.status == "textOnly")
    #expect(content.notification.title == "127.0.0.1")
    #expect(content.problems.map(\.code) == [code, "noPicture"])
    #expect(content.problems.first?.stage == "page")
    #expect(content.timing.finished < content.timing.deadline)
  }

  @Test func `An address that leads to a picture is that picture`() async throws {
    let site = try await makeSite([:])
    try await site.submit(#"{"url":"\#(site.url("/large.jpg"))"}"#)
    try await site.drain()
    let content = try site.manifest("job").content
    #expect(content.status == "complete")
    #expect(content.attachments.first?.source.url == site.url("/large.jpg"))
  }

  @Test func `References resolve against the base and the address after redirects`() async throws {
    let site = try await makeSite([
      "here.html": #"<base href="deep/"><meta property="og:image" content="../large.jpg">"#
    ])
    try site.folder.makeFolder("sub")
    try site.folder.write(
      try FileBytes.read(site.folder.path(of: "large.jpg")), to: "sub/large.jpg")
    try site.folder.write(
      try FileBytes.read(site.folder.path(of: "here.html")), to: "sub/page.html")
    try await site.submit(#"{"url":"\#(site.url("/old?redirect=/sub/page.html"))"}"#)
    try await site.drain()
    let content = try site.manifest("job").content
    #expect(content.status == "complete")
    #expect(content.attachments.first?.source.url == site.url("/sub/large.jpg"))
  }

  @Test func `Of a page in gzip 2 MB count after decoding`() async throws {
    let filler = String(repeating: "<p>some text to fill the page</p>\n", count: 150_000)
    let site = try await makeSite([
      "page": Self.page.replacing("The Plaice", with: "") + filler
        + #"<meta name="application-name" content="Beyond">"#
    ])
    let packed = try await Command.tool("gzip", ["-c", site.folder.path(of: "page")]).run()
    #expect(packed.output.count < 1_000_000 && filler.utf8.count > 5_000_000)
    try site.folder.write(packed.output, to: "page.html")
    try await site.submit(#"{"url":"\#(site.url("/page.html?encoding=gzip&type=text/html"))"}"#)
    try await site.drain()
    let content = try site.manifest("job").content
    #expect(content.status == "complete")
    #expect(content.notification.title == "Fish & chips")
    #expect(content.notification.subtitle == "127.0.0.1")
  }

  @Test func `The doctor reads a page`() async throws {
    let outcome = try await Command.built("wirephoto", ["doctor", "--json"]).run()
    #expect(outcome.ending == .exited(0))
    #expect(outcome.lines.contains { $0.hasPrefix(#"{"subject":"pages","state":"ok""#) })
  }

  @Test func `The answer's charset is the page's`() async throws {
    let site = try await makeSite([:])
    try site.folder.write(
      Array("<html><title>".utf8) + [0xBC, 0xAD, 0xBF, 0xEF] + Array("</title>".utf8),
      to: "page.html")
    let address = site.url("/page.html?type=text/html%3Bcharset%3Deuc-kr")
    try await site.submit(#"{"url":"\#(address)"}"#)
    try await site.drain()
    #expect(try site.manifest("job").content.notification.title == "서울")
  }
}

/// A job site and the folder that its origin serves.
private struct PageSite: ~Copyable {
  let site: JobSite
  let folder: TemporaryDirectory

  func url(_ path: String) -> String { site.origin.url(path) }

  /// The paths that the origin was asked for.
  var requestedPaths: [String] { site.origin.requests.map(\.path) }

  func submit(_ payload: String, name: String = "job.json") async throws {
    try site.root.write(payload, to: name)
    let outcome = try await Command.built(
      "wirephoto", ["submit", site.jobs, site.root.path(of: name)]
    ).run()
    try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
  }

  func drain(_ more: [String] = []) async throws {
    let outcome = try await site.drain(more)
    try #require(outcome.ending == .exited(0), "\(outcome.errorText)")
  }

  func manifest(_ id: String) throws -> ManifestFile { try site.manifest(id) }
}

/// Payloads that hold one address.
private enum PayloadText {
  static func holding(_ address: String, form: String) -> String {
    switch form {
    case "plist", "webloc":
      let key = form == "webloc" ? "URL" : "url"
      return """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>\(key)</key><string>\(address)</string></dict></plist>
        """
    case "url": return "[InternetShortcut]\r\nURL=\(address)\r\n"
    case "txt": return address + "\n"
    default: return #"{"url":"\#(address)"}"#
    }
  }
}
