import Foundation
import Imaging
import Media
import TestSupport
import Testing

@Suite("JPEG decoder", .timeLimit(.minutes(10)))
struct JPEGDecoderTests {
  /// A smooth picture with all hues, as a pixel map.
  static func pixelMap(_ width: Int, _ height: Int) -> [UInt8] {
    var bytes = Array("P6\n\(width) \(height)\n255\n".utf8)
    for y in 0..<height {
      for x in 0..<width {
        bytes.append(UInt8(x * 255 / width))
        bytes.append(UInt8(y * 255 / height))
        bytes.append(UInt8((x + y) * 255 / (width + height)))
      }
    }
    return bytes
  }

  /// The same picture as a JPEG made by libjpeg-turbo's own tool.
  static func encode(_ options: [String], width: Int = 67, height: Int = 45) async throws -> [UInt8]
  {
    let outcome = try await Command.tool(
      "cjpeg", ["-quality", "90"] + options, input: pixelMap(width, height)
    ).run()
    #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
    return outcome.output
  }

  @Test(
    "delivers planes of each sampling as another decoder does",
    arguments: [
      ("1x1", "yuvj444p", 1, 1), ("2x1", "yuvj422p", 2, 1), ("2x2", "yuvj420p", 2, 2),
      ("1x2", "yuvj440p", 1, 2), ("4x1", "yuvj411p", 4, 1),
    ], [[], ["-progressive"], ["-restart", "1"]])
  func samplings(_ sampling: (String, String, Int, Int), _ options: [String]) async throws {
    let (name, pixelFormat, across, down) = sampling
    let bytes = try await Self.encode(["-sample", name] + options)
    let picture = try decodePicture(bytes, as: .jpeg)
    #expect(picture.failure == nil)
    #expect(picture.isWhole)
    let raster = try #require(picture.raster)
    #expect(raster.model == .yCbCr)
    let chroma = PixelSize(width: (67 + across - 1) / across, height: (45 + down - 1) / down)
    #expect(raster.planes.map(\.size) == [PixelSize(width: 67, height: 45), chroma, chroma])
    let folder = try TemporaryDirectory()
    let path = try folder.write(bytes, to: "picture.jpg")
    let theirs = try await ReferenceDecoder.samples(of: path, as: pixelFormat)
    #expect(try #require(decibels(picture.bytes, theirs)) >= 50)
  }

  @Test(
    "delivers grey and RGB pictures as coded",
    arguments: [("-grayscale", "gray"), ("-rgb", "rgb24")])
  func otherModels(_ option: String, _ pixelFormat: String) async throws {
    let bytes = try await Self.encode([option])
    let picture = try decodePicture(bytes, as: .jpeg)
    #expect(picture.isWhole)
    #expect(picture.raster?.model == (option == "-rgb" ? .rgb : .gray))
    #expect(picture.header?.facts.colorSpace == (option == "-rgb" ? "sRGB" : "gray"))
    let folder = try TemporaryDirectory()
    let path = try folder.write(bytes, to: "picture.jpg")
    let theirs = try await ReferenceDecoder.samples(of: path, as: pixelFormat)
    #expect(try #require(decibels(picture.bytes, theirs)) >= 50)
  }

  @Test("scales to the smallest eighth that leaves 1.45 × what is needed")
  func scales() async throws {
    let bytes = try await Self.encode(["-sample", "2x2"], width: 800, height: 400)
    let delivered = { (width: Int, height: Int) in
      try decodePicture(bytes, as: .jpeg, needed: PixelSize(width: width, height: height))
        .raster?.planes.map(\.size.width)
    }
    // 4:2:0 chroma comes at luma's density, as far as it goes.
    #expect(try delivered(68, 34) == [100, 100, 100])
    #expect(try delivered(69, 34) == [200, 200, 200])
    #expect(try delivered(68, 35) == [200, 200, 200])
    #expect(try delivered(137, 1) == [200, 200, 200])
    #expect(try delivered(138, 1) == [400, 400, 400])
    #expect(try delivered(276, 1) == [800, 400, 400])
    #expect(try delivered(10_000, 10_000) == [800, 400, 400])
  }

  @Test("a progressive picture at one eighth is as the sequential one, but for what nobody sees")
  func earlyStop() async throws {
    let progressive = try await Self.encode(
      ["-sample", "2x2", "-progressive"], width: 800, height: 400)
    let baseline = try await Self.encode(["-sample", "2x2"], width: 800, height: 400)
    let needed = PixelSize(width: 68, height: 34)
    let first = try decodePicture(progressive, as: .jpeg, needed: needed)
    let second = try decodePicture(baseline, as: .jpeg, needed: needed)
    #expect(first.failure == nil)
    let all = try decodePicture(progressive, as: .jpeg, needed: needed, use: .all)
    #expect(all.planes == second.planes)
    #expect(try #require(decibels(first.bytes, second.bytes)) > 42)
  }

  @Test("arithmetic coding is refused by its name")
  func arithmetic() async throws {
    let bytes = try await Self.encode(["-arithmetic"])
    let failure = #expect(throws: DecodeFailure.self) { try decodePicture(bytes, as: .jpeg) }
    #expect(failure == .unsupported("arithmetic-coded JPEG"))
  }

  @Test("a declared size beyond the limit is refused")
  func tooManyPixels() async throws {
    let bytes = try await Self.encode([])
    #expect(throws: DecodeFailure.tooManyPixels(declared: 3015, limit: 3000)) {
      try decodePicture(bytes, as: .jpeg, limits: DecodeLimits(maxPixels: 3000))
    }
  }

  @Test(
    "every truncation is a picture or a typed failure, and rows that came are right",
    arguments: [[], ["-progressive"], ["-grayscale"], ["-restart", "1"]])
  func truncations(_ options: [String]) async throws {
    let whole = try await Self.encode(options)
    let expected = try decodePicture(whole, as: .jpeg)
    var failures = 0
    for length in 0..<whole.count {
      guard let picture = try? decodePicture(Array(whole.prefix(length)), as: .jpeg) else {
        continue
      }
      if picture.failure != nil { failures += 1 }
      if picture.failure == nil { #expect(picture.planes == expected.planes, "\(length)") }
      if options != ["-progressive"], let rows = picture.planes.first {
        #expect(rows.elementsEqual(expected.planes[0].prefix(rows.count)), "\(length)")
      }
    }
    #expect(failures > whole.count / 3)
  }

  @Test("half of a baseline file gives the upper rows and is truncated")
  func half() async throws {
    let whole = try await Self.encode([], width: 640, height: 640)
    let picture = try decodePicture(Array(whole.prefix(whole.count / 2)), as: .jpeg)
    guard case .truncated = picture.failure else {
      Issue.record("\(String(describing: picture.failure))")
      return
    }
    #expect((200..<400).contains(picture.rows))
  }

  @Test("half of a progressive file gives all rows, coarse, and is truncated")
  func halfProgressive() async throws {
    let whole = try await Self.encode(["-progressive"], width: 640, height: 640)
    let picture = try decodePicture(Array(whole.prefix(whole.count / 2)), as: .jpeg)
    guard case .truncated = picture.failure else {
      Issue.record("\(String(describing: picture.failure))")
      return
    }
    #expect(picture.rows == 640)
    let expected = try decodePicture(whole, as: .jpeg)
    let coarse = picture.planes[0].map(UInt8.init), fine = expected.planes[0].map(UInt8.init)
    #expect(try #require(decibels(coarse, fine)) > 30)
  }
}
