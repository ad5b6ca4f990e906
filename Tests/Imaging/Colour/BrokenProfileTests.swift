import Files
import Imaging
import Media
import TestSupport
import Testing

/// Profiles that cannot be used, in each format that carries one.
@Suite("Broken profiles", .timeLimit(.minutes(10)))
struct BrokenProfileTests {
  private static let p3 = ProfileBuilder.rgb(.displayP3, .sRGB)

  /// A kind of damage, made of a good profile.
  enum Damage: CaseIterable {
    case garbage, cmyk, gray, signature, size, tagTable

    var profile: [UInt8] {
      var bytes = p3
      switch self {
      case .garbage: return (0..<400).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ 7) }
      case .cmyk: return ProfileBuilder.cmyk(white: [255, 128, 128], inked: [0, 128, 128])
      case .gray: return ProfileBuilder.gray(.gamma(1.8))
      case .signature: bytes.replaceSubrange(36..<40, with: Array("xxxx".utf8))
      case .size:
        bytes += [UInt8](repeating: 0, count: 9_000_000 - bytes.count)
        bytes.replaceSubrange(0..<4, with: bigEndian(bytes.count, 4))
      case .tagTable: bytes.replaceSubrange(132..<204, with: [UInt8](repeating: 0x7F, count: 72))
      }
      return bytes
    }
  }

  private static let cases = [MediaFormat.jpeg, .png, .webp].flatMap { format in
    Damage.allCases.map { (format, $0) }
  }

  private func file(_ format: MediaFormat, _ profile: [UInt8]) throws -> [UInt8] {
    switch format {
    case .png: png(colourType: 2, profile)
    case .jpeg: try jpeg(profile)
    default: try webp(profile)
    }
  }

  private func png(
    colourType: Int, _ profile: [UInt8], chunks: (inout PNGBuilder) -> Void = { _ in }
  ) -> [UInt8] {
    var png = PNGBuilder()
    png.header(1, 1, depth: 8, colourType: colourType)
    chunks(&png)
    png.chunk("iCCP", [65, 0, 0] + zlibStored(profile))
    png.imageData([colourType == 2 ? [1, 2, 3] : [1]])
    png.end()
    return png.bytes
  }

  /// ICC.1 annex B.4: in segments of at most 65,519 bytes.
  private func jpeg(_ profile: [UInt8], leavingOut missing: Int? = nil) throws -> [UInt8] {
    let whole = try FileBytes.read(Project.path("media-samples/jpeg/baseline.jpg"))
    let starts = Array(stride(from: 0, to: profile.count, by: 65_519))
    var segments: [UInt8] = []
    for (index, start) in starts.enumerated() where index != missing {
      let part = profile[start..<min(profile.count, start + 65_519)]
      segments += [0xFF, 0xE2] + bigEndian(part.count + 16, 2) + Array("ICC_PROFILE\0".utf8)
      segments += [UInt8(index + 1), UInt8(starts.count)] + part
    }
    return whole.prefix(2) + segments + whole.dropFirst(2)
  }

  /// The WebP Container Specification's extended format around a simple file's bitstream.
  private func webp(_ profile: [UInt8]) throws -> [UInt8] {
    let simple = try FileBytes.read(Project.path("media-samples/webp/lossy.webp"))
    let little = { (value: Int, count: Int) in Array(bigEndian(value, count).reversed()) }
    let size = (
      Int(simple[26]) | Int(simple[27] & 0x3F) << 8, Int(simple[28]) | Int(simple[29] & 0x3F) << 8
    )
    var body = Array("WEBPVP8X".utf8) + little(10, 4) + [0x20, 0, 0, 0]
    body += little(size.0 - 1, 3) + little(size.1 - 1, 3)
    body += Array("ICCP".utf8) + little(profile.count, 4) + profile
    body += [UInt8](repeating: 0, count: profile.count % 2) + simple.dropFirst(12)
    return Array("RIFF".utf8) + little(body.count, 4) + body
  }

  /// What is said of the picture's profile when it is rendered.
  private func warnings(_ bytes: [UInt8], as format: MediaFormat) throws -> [Problem] {
    let decoded = try decodePicture(bytes, as: format)
    let header = try #require(decoded.header)
    var warnings: [Problem] = []
    let model: ColourModel = header.facts.colorSpace.contains("gray") ? .gray : .rgb
    _ = ColourTreatment.choose(header, model: model, warnings: &warnings)
    return warnings
  }

  @Test("A profile that cannot be used gives one warning", arguments: cases)
  func damaged(format: MediaFormat, damage: Damage) throws {
    let warnings = try warnings(try file(format, damage.profile), as: format)
    #expect(warnings.map(\.code) == [.brokenProfile])
    #expect(warnings.map(\.severity) == [.warning])
  }

  @Test("A good profile gives none", arguments: [MediaFormat.jpeg, .png, .webp])
  func good(format: MediaFormat) throws {
    let bytes = try file(format, Self.p3)
    #expect(try warnings(bytes, as: format) == [])
    #expect(try decodePicture(bytes, as: format).header?.iccProfile == Self.p3)
  }

  @Test("A profile for colours on a gray PNG gives a warning")
  func colouredOnGray() throws {
    let bytes = png(colourType: 0, Self.p3)
    #expect(try warnings(bytes, as: .png).map(\.code) == [.brokenProfile])
  }

  @Test("A JPEG's profile that lacks a part gives a warning")
  func missingPart() throws {
    let profile = Self.p3 + [UInt8](repeating: 0, count: 100_000)
    #expect(try warnings(jpeg(profile, leavingOut: 1), as: .jpeg).map(\.code) == [.brokenProfile])
  }

  @Test("A PNG is named by cICP before its profile, as it is rendered")
  func codePointsFirst() throws {
    let named = { (points: [UInt8]) in
      try decodePicture(
        png(colourType: 2, ProfileBuilder.rgb(.standard, .gamma(1.8))) { $0.chunk("cICP", points) },
        as: .png
      ).header?.facts.colorSpace
    }
    #expect(try named([12, 13, 0, 1]) == "Display P3")
    #expect(try named([9, 16, 0, 1]) == "BT.2100 PQ")
    #expect(try named([1, 13, 0, 1]) == "sRGB")
    #expect(try named([5, 4, 0, 1]) == "H.273 5/4")
    #expect(try named([2, 2, 0, 1]) == "sRGB")
  }
}
