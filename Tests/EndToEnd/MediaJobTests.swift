import Foundation
import Media
import Origin
import TestSupport
import Testing

/// Sound and film with the real programs, over an origin on loopback.
@Suite(.timeLimit(.minutes(15))) struct MediaJobTests {
  /// A manifest as a consumer reads it, and its folder.
  private struct Published {
    let folder: String
    let manifest: [String: Any]

    var status: String { manifest["status"] as? String ?? "" }
    var attachments: [[String: Any]] { manifest["attachments"] as? [[String: Any]] ?? [] }
    var codes: [String] {
      (manifest["problems"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }

    func renditions(_ index: Int) -> [[String: Any]] {
      guard attachments.indices.contains(index) else { return [] }
      return attachments[index]["renditions"] as? [[String: Any]] ?? []
    }

    func path(_ rendition: [String: Any]) -> String {
      "\(folder)/\(rendition["file"] as? String ?? "none")"
    }
  }

  private func publish(
    image: String?, media: [String], more: [String] = []
  ) async throws -> Published {
    let site = try JobSite.make()
    try await site.submit("job", image: image, more: ["media": media.map { site.origin.url($0) }])
    #expect(try await site.drain(more).ending == .exited(0))
    let folder = site.root.path(of: "jobs/outbox/job")
    let bytes = Data(try FileBytes.read("\(folder)/manifest.json"))
    let manifest = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    let copy = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
    // The folder goes with the site; what is looked at is kept.
    try FileManager.default.copyItem(atPath: folder, toPath: copy)
    return Published(folder: copy, manifest: manifest)
  }

  private func discard(_ published: Published) {
    try? FileManager.default.removeItem(atPath: published.folder)
  }

  @Test("A QuickTime film becomes a poster and an MP4 that others play")
  func film() async throws {
    let published = try await publish(image: nil, media: ["/video/h264.mov"])
    defer { discard(published) }
    #expect(published.status == "complete", "\(published.codes)")
    let attachment = try #require(published.attachments.first)
    #expect(attachment["kind"] as? String == "video")
    #expect(attachment["playButton"] as? String == "overlay")
    let source = try #require(attachment["source"] as? [String: Any])
    #expect(source["format"] as? String == "mov")
    #expect(source["codecs"] as? [String] == ["h264", "aac"])
    #expect(abs((source["durationSeconds"] as? Double ?? 0) - 2.5) < 0.05)
    let renditions = published.renditions(0)
    #expect(renditions.compactMap { $0["role"] as? String } == ["poster", "media"])
    let media = try #require(renditions.last)
    #expect(media["typeIdentifier"] as? String == "public.mpeg-4")
    let options = try #require(media["options"] as? [String: Any])
    // The first half second is black.
    #expect((options["thumbnailTime"] as? Double ?? 0) >= 0.5)
    let size = try FileBytes.read(published.path(media)).count
    #expect(media["bytes"] as? Int == size)
    let check = try await Command.tool(
      "ffmpeg", ["-v", "error", "-i", published.path(media), "-f", "null", "-"]
    ).run()
    #expect(check.ending == .exited(0) && check.errorText == "")
    let poster = try await PixelMap.decode(published.path(renditions[0]))
    #expect((poster.width, poster.height) == (240, 160))
  }

  @Test("A film that notifications do not play gives its poster, and the reason")
  func posterAlone() async throws {
    let published = try await publish(image: nil, media: ["/video/vp9.webm"])
    defer { discard(published) }
    #expect(published.renditions(0).compactMap { $0["role"] as? String } == ["poster"])
    #expect(published.codes == ["unsupportedFormat"])
    #expect(published.attachments.first?["playButton"] as? String == "none")
  }

  @Test("Sound comes beside the picture, with its cover and the file")
  func sound() async throws {
    let published = try await publish(
      image: "/jpeg/baseline.jpg", media: ["/audio/cover.mp3", "/audio/plain.aac"])
    defer { discard(published) }
    #expect(published.status == "complete", "\(published.codes)")
    #expect(
      published.attachments.compactMap { $0["kind"] as? String } == ["image", "audio", "audio"])
    #expect(published.renditions(1).compactMap { $0["role"] as? String } == ["picture", "media"])
    #expect(published.renditions(2).compactMap { $0["role"] as? String } == ["media"])
    let types = published.renditions(1) + published.renditions(2)
    #expect(
      types.compactMap { $0["typeIdentifier"] as? String } == [
        "public.jpeg", "public.mp3", "public.mpeg-4-audio",
      ])
    // The cover came before the frames, in a tag that is left out (ID3v2: 7 bits a byte of size).
    let original = try FileBytes.read(Project.path("media-samples/audio/cover.mp3"))
    let tag = 10 + original[6..<10].reduce(0) { $0 << 7 | Int($1) }
    #expect(
      try FileBytes.read(published.path(published.renditions(1)[1])) == Array(original[tag...]))
  }

  @Test("What is missing or no film degrades the job; five are one too many")
  func trouble() async throws {
    let published = try await publish(
      image: "/jpeg/baseline.jpg",
      media: [
        "/video/none.mp4", "/jpeg/baseline.jpg", "/truncated/video-h264.mp4", "/audio/plain.wav",
      ])
    defer { discard(published) }
    #expect(published.status == "degraded")
    #expect(published.attachments.count == 1)
    #expect(
      Set(published.codes) == ["tooManyAttachments", "httpStatus", "unsupportedFormat", "corrupt"])
  }

  @Test("A film whose index is cut is corrupt to probe and worker, and its poster degrades the job")
  func cutIndex() async throws {
    let whole = try FileBytes.read(Project.path("media-samples/video/mpeg4.avi"))
    let folder = try TemporaryDirectory()
    for missing in [1, 3, 100] {
      _ = try folder.write(Array(whole.dropLast(missing)), to: "cut\(missing).avi")
    }
    let site = try JobSite.make(serving: folder.path)
    for missing in [1, 3, 100] {
      let name = "cut\(missing).avi"
      let outcome = try await Command.built(
        "wirephoto", ["probe", "--json", "--deep", folder.path(of: name)]
      ).run()
      let report = try #require(
        try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
      let told = (report["problems"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
      #expect(told == ["corrupt"], "\(name)")
      #expect(report["attachable"] as? Bool == false, "\(name)")
      // The second job recalls the poster out of the cache.
      for id in ["first\(missing)", "second\(missing)"] {
        try await site.submit(
          id, image: nil,
          more: ["media": [site.origin.url("/\(name)?cache=max-age%3D600")]])
        #expect(try await site.drain().ending == .exited(0))
        let manifest = try site.manifest(id).content
        #expect(manifest.status == "degraded", "\(id)")
        #expect(manifest.problems.map(\.code) == ["corrupt"], "\(id)")
        #expect(manifest.attachments.flatMap { $0.renditions.map(\.role) } == ["poster"], "\(id)")
      }
    }
  }

  @Test("An imageURL that proves to be a film gives its poster and the file, sound its cover")
  func filmAsPicture() async throws {
    let film = try await publish(image: "/video/h264.mp4", media: [])
    defer { discard(film) }
    #expect(film.status == "complete", "\(film.codes)")
    #expect(film.attachments.first?["kind"] as? String == "video")
    #expect(film.attachments.first?["identifier"] as? String == "image")
    #expect(film.renditions(0).compactMap { $0["role"] as? String } == ["poster", "media"])
    let poster = try await PixelMap.decode(film.path(film.renditions(0)[0]))
    #expect((poster.width, poster.height) == (240, 160))
    let sound = try await publish(image: "/audio/cover.mp3", media: [])
    defer { discard(sound) }
    #expect(sound.attachments.first?["kind"] as? String == "audio")
    #expect(sound.renditions(0).compactMap { $0["role"] as? String } == ["picture", "media"])
  }

  @Test("A film as imageURL degrades its job where only its file is missing, as one in media does")
  func filmWithoutFile() async throws {
    let folder = try TemporaryDirectory()
    let whole = try FileBytes.read(Project.path("media-samples/video/mpeg4.avi"))
    try folder.write(Array(whole.dropLast(100)), to: "cut.avi")
    for sample in ["video/vp9.webm", "truncated/video-h264.mp4"] {
      try folder.write(
        try FileBytes.read(Project.path("media-samples/\(sample)")),
        to: String(try #require(sample.split(separator: "/").last)))
    }
    let site = try JobSite.make(serving: folder.path)
    try folder.write(
      "<title>T</title><meta property=og:image content=/cut.avi?cache=max-age%3D600>",
      to: "page.html")
    for (name, status, codes, roles) in [
      ("cut.avi", "degraded", ["corrupt"], ["poster"]),
      // The rules are against the file.
      ("vp9.webm", "complete", ["unsupportedFormat"], ["poster"]),
      ("video-h264.mp4", "textOnly", ["corrupt", "noPicture"], []),
      // Of a page, whichever candidate works is what was wanted.
      ("page.html", "complete", ["corrupt"], ["poster"]),
    ] {
      // The second job recalls what the cache has.
      for round in 1...2 {
        let id = "\(name)-\(round)"
        let url = site.origin.url("/\(name)?cache=max-age%3D600")
        let isPage = name == "page.html"
        try await site.submit(id, image: isPage ? nil : url, more: isPage ? ["url": url] : [:])
        #expect(try await site.drain().ending == .exited(0))
        let manifest = try site.manifest(id).content
        #expect(manifest.status == status, "\(id)")
        #expect(manifest.problems.map(\.code) == codes, "\(id)")
        #expect(manifest.attachments.flatMap { $0.renditions.map(\.role) } == roles, "\(id)")
      }
    }
  }

  @Test("Posters and covers hold no metadata, and rewritten files no place and no comment")
  func metadata() async throws {
    for address in ["/video/h264.mov", "/audio/cover.mp3", "/video/vp9.webm"] {
      let published = try await publish(image: nil, media: [address])
      defer { discard(published) }
      for rendition in published.renditions(0) where rendition["role"] as? String != "media" {
        let tags = try await Command.tool(
          "exiftool", ["-q", "-G1", "-a", "-u", "-j", published.path(rendition)]
        ).run().text
        #expect(tags.contains("SourceFile"))
        for group in ["GPS", "IFD0:", "XMP", "IPTC", "Photoshop:", "Comment", "ICC", "Adobe:"] {
          #expect(!tags.contains("\"\(group)"), "\(address): \(group)")
        }
      }
    }
  }

  @Test("--rules decides what is attached, and WIREPHOTO_RULES says the same")
  func rules() async throws {
    let folder = try TemporaryDirectory()
    // Six megabytes of silence: too much sound for Apple's table.
    let path = folder.path(of: "silence.wav")
    let made = try await Command.tool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "anullsrc=r=48000:cl=stereo", "-t", "32", path]
    ).run()
    #expect(made.ending == .exited(0), "\(made.errorText)")
    let site = try JobSite.make(serving: folder.path)
    for (id, options, variable, isAttached) in [
      ("apple", [], nil, false), ("wide", ["--rules", "wide"], nil, true),
      ("variable", [], "wide", true),
    ] as [(String, [String], String?, Bool)] {
      try await site.submit(id, image: nil, more: ["media": [site.origin.url("/silence.wav")]])
      var worker = try site.worker(["--drain"] + options)
      worker.environment["WIREPHOTO_RULES"] = variable
      #expect(try await worker.run().ending == .exited(0))
      let text = try FileBytes.read(site.root.path(of: "jobs/outbox/\(id)/manifest.json"))
      let object = try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]
      let attachments = object?["attachments"] as? [[String: Any]] ?? []
      #expect(attachments.isEmpty == !isAttached, "\(id)")
      let codes = (object?["problems"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
      #expect(codes?.contains("attachmentTooLarge") == !isAttached, "\(id)")
    }
  }

  @Test("A rendition that takes a phone more than 24 MB gives a warning")
  func memory() async throws {
    let published = try await publish(
      image: "/jpeg/large.jpg", media: [], more: ["--profile", "iphone,3000x3000,600x600"])
    defer { discard(published) }
    #expect(published.codes.isEmpty)
    #expect(published.status == "complete")
    let folder = try TemporaryDirectory()
    let path = folder.path(of: "huge.jpg")
    let made = try await Command.tool(
      "convert-im6.q16", ["-size", "3000x2100", "gradient:red-blue", path]
    ).run()
    #expect(made.ending == .exited(0), "\(made.errorText)")
    let site = try JobSite.make(serving: folder.path)
    try await site.submit("job", image: "/huge.jpg")
    try await site.drain(["--profile", "iphone,3000x3000", "--max-bytes", "0"])
    let manifest = try site.manifest("job")
    #expect(manifest.content.status == "complete")
    #expect(manifest.content.problems.map(\.code) == ["tooManyPixels"])
    #expect(manifest.content.problems.map(\.severity) == ["warning"])
    #expect(manifest.content.problems.first?.message.contains("25200000") == true)
    let outcome = try await Command.built("wirephoto", ["probe", "--json", path]).run()
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    let codes = (report["problems"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
    #expect(codes == ["tooManyPixels"])
    #expect(report["attachable"] as? Bool == true)
  }

  @Test("probe tells of a film what a picture has not")
  func probe() async throws {
    let path = Project.path("media-samples/video/h264-rotated.mp4")
    let outcome = try await Command.built("wirephoto", ["probe", "--json", path]).run()
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    #expect(report["kind"] as? String == "video")
    #expect(report["orientation"] as? Int == 6)
    #expect(report["width"] as? Int == 240 && report["height"] as? Int == 160)
    #expect(report["codecs"] as? [String] == ["h264"])
    #expect(report["durationSeconds"] as? Double == 2.5)
    #expect(report["frames"] is NSNull && report["decodedBytes"] is NSNull)
    #expect(report["attachable"] as? Bool == true)
  }

  @Test("render makes a poster of a film and a picture of a cover, and says when there is none")
  func render() async throws {
    let folder = try TemporaryDirectory()
    for (sample, size) in [
      ("video/vp9.webm", PixelSize(width: 240, height: 160)),
      ("audio/cover.m4a", PixelSize(width: 240, height: 240)),
    ] {
      let path = folder.path(of: "\(size).png")
      let outcome = try await Command.built(
        "wirephoto", ["render", Project.path("media-samples/\(sample)"), "-o", path]
      ).run()
      #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
      let picture = try await PixelMap.decode(path)
      #expect(PixelSize(width: picture.width, height: picture.height) == size)
    }
    let silent = try await Command.built(
      "wirephoto",
      ["render", Project.path("media-samples/audio/plain.wav"), "-o", folder.path(of: "none.jpg")]
    ).run()
    #expect(silent.ending == .exited(1))
    #expect(silent.errorText.contains("noPicture"))
  }

  @Test("doctor decodes a film of each codec that notifications play")
  func doctor() async throws {
    let outcome = try await Command.built("wirephoto", ["doctor"]).run()
    for codec in ["mp4 h264", "mp4 hevc"] {
      let line = outcome.lines.first { $0.contains("codec \(codec)") }
      #expect(line?.hasPrefix("ok") == true, "\(outcome.text)")
    }
  }
}
