import Foundation
import Media
import Origin
import TestSupport
import Testing

/// What phones fetch, and what settings add.
@Suite(.timeLimit(.minutes(15))) struct PublishingTests {
  private func object(_ path: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(try FileBytes.read(path)))
    return try #require(object as? [String: Any])
  }

  @Test(
    "objectURL leads to the object, from manifest and push payload alike",
    arguments: [
      "/jpeg/baseline.jpg?cache=max-age%3D60", "/jpeg/baseline.jpg?cache=no-store",
    ])
  func objectURL(image: String) async throws {
    let site = try JobSite.make()
    let objects = try OriginServer(folder: site.root.path(of: "cache/objects"))
    try await site.submit("job", image: image)
    let base = objects.url("")
    try await site.drain(["--public-base-url", base])
    let folder = site.root.path(of: "jobs/outbox/job")
    let push = try object("\(folder)/push.json")
    let medium = try #require((push["media"] as? [[String: Any]])?.first)
    let address = try #require(medium["url"] as? String)
    let manifest = String(decoding: try FileBytes.read("\(folder)/manifest.json"), as: UTF8.self)
    #expect(manifest.contains(address))
    #expect(address.hasPrefix(base))
    let fetched = try await Command.tool("curl", ["-sf", address]).run()
    let rendition = try site.manifest("job").rendition()
    #expect(fetched.ending == .exited(0))
    #expect(fetched.output == (try FileBytes.read("\(folder)/\(rendition.file)")))
    #expect(medium["sha256"] as? String == rendition.sha256)
    #expect(medium["type"] as? String == "public.jpeg")
  }

  @Test("Without a public address there is nothing for the push payload to name")
  func noObjectURL() async throws {
    let site = try JobSite.make()
    try await site.submit("job", image: "/jpeg/baseline.jpg")
    try await site.drain()
    let push = try object(site.root.path(of: "jobs/outbox/job/push.json"))
    #expect((push["media"] as? [Any])?.isEmpty == true)
  }

  @Test(
    "A payload without any text has a title to be shown by",
    arguments: [
      (#"{"imageURL": "http://198.51.100.1:81/x.jpg"}"#, "198.51.100.1"),
      (
        #"{"imageURL": "//198.51.100.1/x.jpg", "imageURLs": ["https://198.51.100.2/"]}"#,
        "198.51.100.1"
      ),
      (#"{"imageURL": "data:,", "imageURLs": ["https://198.51.100.2/"]}"#, "198.51.100.2"),
      (#"{"imageURL": "data:,", "altText": "A plate"}"#, "A plate"),
      (#"{"imageURL": "data:,"}"#, "job"),
      (#"{"imageURL": "http://198.51.100.1/", "url": "app://x/y"}"#, "198.51.100.1"),
      (#"{"imageURL": "http://198.51.100.1/", "url": "http://198.51.100.2/"}"#, "198.51.100.2"),
      (#"{"imageURL": "http://198.51.100.1/", "drafts": [{"sentence": "S"}]}"#, nil),
    ] as [(String, String?)])
  func textlessPayload(payload: String, title: String?) async throws {
    let site = try JobSite.make()
    let path = try site.root.write(payload, to: "job.json")
    _ = try await Command.built("wirephoto", ["submit", site.jobs, path]).run()
    try await site.drain()
    let push = try object(site.root.path(of: "jobs/outbox/job/push.json"))
    let alert = try #require((push["aps"] as? [String: Any])?["alert"] as? [String: Any])
    #expect(alert["title"] as? String == title)
    #expect(!alert.isEmpty)
    #expect(try site.manifest("job").content.notification.title == title)
  }

  @Test("Hints tell colours and the square that matters, the same when the cache knows the picture")
  func hints() async throws {
    let site = try JobSite.make()
    let more: [String: Any] = ["profiles": ["iphone", "thumb"]]
    for id in ["first", "again"] {
      try await site.submit(id, image: "/jpeg/baseline.jpg?cache=max-age%3D60", more: more)
      try await site.drain()
      let folder = site.root.path(of: "jobs/outbox/\(id)")
      let found = try object("\(folder)/manifest.json")["attachments"] as? [[String: Any]]
      let attachment = try #require(found?.first)
      let renditions = try #require(attachment["renditions"] as? [[String: Any]])
      let options = renditions.compactMap { $0["options"] as? [String: Any] }
      let rectangles = options.compactMap { $0["thumbnailClippingRect"] as? [Double] }
      let square = try #require(rectangles.first)
      let width = try #require(renditions[0]["width"] as? Int)
      let height = try #require(renditions[0]["height"] as? Int)
      #expect(abs(square[2] * Double(width) - square[3] * Double(height)) < 1)
      #expect(rectangles.last == [0, 0, 1, 1])
      let file = try #require(renditions[0]["file"] as? String)
      let picture = try await PixelMap.decode("\(folder)/\(file)")
      let text = try #require(attachment["thumbHash"] as? String)
      let hash = try #require(Data(base64Encoded: text))
      for (told, real) in zip(averageColour([UInt8](hash)), picture.averageColour) {
        #expect(abs(told - real) <= 10)
      }
      #expect((attachment["dominantColor"] as? String)?.count == 7)
    }
  }

  /// Red, green and blue, 0…255, as a ThumbHash's first three bytes hold them.
  private func averageColour(_ hash: [UInt8]) -> [Double] {
    let header = Int(hash[0]) | Int(hash[1]) << 8 | Int(hash[2]) << 16
    let luminance = Double(header & 63) / 63
    let yellowBlue = Double(header >> 6 & 63) / 31.5 - 1
    let redGreen = Double(header >> 12 & 63) / 31.5 - 1
    let blue = luminance - 2.0 / 3 * yellowBlue
    let red = (3 * luminance - blue + redGreen) / 2
    return [red, red - redGreen, blue].map { max(0, min(1, $0)) * 255 }
  }

  @Test("Settings name profiles and categories; an unknown category is told of")
  func settings() async throws {
    let site = try JobSite.make()
    try site.root.write(
      """
      {"profiles": {"hero": {"box": "100x100", "fit": "cover"}},
       "categories": [{"identifier": "article", "actions": [{"identifier": "a", "title": "A"}]}]}
      """, to: "cache/settings.json")
    let more: [String: Any] = ["profiles": ["hero", "tv"], "categoryIdentifier": "article"]
    try await site.submit("known", image: "/jpeg/large.jpg", more: more)
    try await site.submit(
      "unknown", image: "/jpeg/large.jpg", more: ["categoryIdentifier": "gossip"])
    try await site.drain()
    let known = try site.manifest("known")
    #expect(try known.rendition().profile == "hero")
    #expect(try known.rendition().width == 100 && known.rendition().height == 100)
    #expect(known.codes == ["badField"])
    let notification = try object(known.folder + "/manifest.json")["notification"] as? [String: Any]
    #expect((notification?["actions"] as? [[String: Any]])?.first?["identifier"] as? String == "a")
    #expect(try site.manifest("unknown").codes == ["unknownCategory"])
  }

  @Test("Settings that cannot be read are the environment's fault") func badSettings() async throws
  {
    let site = try JobSite.make()
    try site.root.write("{", to: "cache/settings.json")
    let outcome = try await site.drain()
    #expect(outcome.ending == .exited(3))
    #expect(outcome.errorText.contains("settings.json"))
  }
}
