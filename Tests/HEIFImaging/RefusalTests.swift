import HEIFImaging
import Imaging
import Media
import Testing

@Suite("Refusals of HEIC and AVIF") struct RefusalTests {
  /// A decoder configuration record of 8 bits, 4:2:0.
  private static let configuration = SyntheticFile.box(
    "hvcC", [UInt8](repeating: 0, count: 16), [0xfd, 0xf8, 0xf8, 0, 0, 0, 0])

  private static func coded(_ properties: Int...) -> SyntheticFile.Item {
    SyntheticFile.Item(type: "hvc1", data: [0, 0, 0, 0], properties: properties)
  }

  private static func failure(_ file: SyntheticFile, limits: DecodeLimits = DecodeLimits())
    -> DecodeFailure?
  {
    do {
      _ = try header(of: file.bytes, limits: limits)
      return nil
    } catch {
      return error as? DecodeFailure
    }
  }

  @Test("The handmade file itself is accepted")
  func control() {
    let file = SyntheticFile(
      items: [Self.coded(1, 2)], properties: [Self.configuration, SyntheticFile.size(64, 48)])
    #expect(Self.failure(file) == nil)
  }

  @Test("A size over the limit is refused from the boxes alone")
  func pixels() {
    let file = SyntheticFile(
      items: [Self.coded(1, 2)],
      properties: [Self.configuration, SyntheticFile.size(60_000, 50_000)])
    #expect(Self.failure(file) == .tooManyPixels(declared: 3_000_000_000, limit: 100_000_000))
  }

  @Test("A size that overflows is refused")
  func overflow() {
    let largest = 0xffff_ffff
    let file = SyntheticFile(
      items: [Self.coded(1, 2)],
      properties: [Self.configuration, SyntheticFile.size(largest, largest)])
    guard case .tooManyPixels = Self.failure(file) else {
      Issue.record("not refused")
      return
    }
  }

  @Test("A small grid of large tiles is refused")
  func largeTiles() {
    let grid = SyntheticFile.Item(
      type: "grid", data: SyntheticFile.grid(columns: 1, rows: 1, width: 64, height: 64),
      properties: [3])
    let file = SyntheticFile(
      items: [grid, Self.coded(1, 2)],
      properties: [
        Self.configuration, SyntheticFile.size(20_000, 20_000), SyntheticFile.size(64, 64),
      ],
      references: [.init(type: "dimg", from: 1, to: [2])])
    #expect(Self.failure(file) == .tooManyPixels(declared: 400_000_000, limit: 100_000_000))
  }

  @Test("A grid of more tiles than its picture needs is refused")
  func superfluousTiles() {
    #expect(Self.failure(Self.grid(of: 4, width: 180, height: 180)) == nil)
    guard case .corrupt = Self.failure(Self.grid(of: 4, width: 80, height: 80)) else {
      Issue.record("not refused")
      return
    }
  }

  /// A square grid of tiles of 100 × 100.
  private static func grid(of tiles: Int, width: Int, height: Int) -> SyntheticFile {
    let side = tiles / 2
    let grid = SyntheticFile.Item(
      type: "grid",
      data: SyntheticFile.grid(columns: side, rows: side, width: width, height: height),
      properties: [3])
    return SyntheticFile(
      items: [grid, coded(1, 2)],
      properties: [
        configuration, SyntheticFile.size(100, 100), SyntheticFile.size(width, height),
      ],
      references: [.init(type: "dimg", from: 1, to: [Int](repeating: 2, count: tiles))])
  }

  @Test("A bitstream larger than its boxes say is refused before its picture is allocated")
  func liar() async throws {
    let picture = TestPicture.waves(width: 512, height: 512)
    for file in [try await picture.heic(), try await picture.avif()] {
      let size = try #require(file.offset(of: "ispe")) + 8
      let liar = file.patched(
        at: size, with: SyntheticFile.number(64, 4) + SyntheticFile.number(64, 4))
      #expect(throws: DecodeFailure.tooManyPixels(declared: 262_144, limit: 10_000)) {
        try decode(liar, limits: DecodeLimits(maxPixels: 10_000))
      }
      do {
        _ = try decode(liar)
        Issue.record("not refused")
      } catch DecodeFailure.corrupt {}
    }
  }

  @Test("A grid of thousands of tiles is refused")
  func tileCount() {
    let grid = SyntheticFile.Item(
      type: "grid", data: SyntheticFile.grid(columns: 100, rows: 100, width: 64, height: 64),
      properties: [3])
    let file = SyntheticFile(
      items: [grid, Self.coded(1, 2)],
      properties: [Self.configuration, SyntheticFile.size(8, 8), SyntheticFile.size(64, 64)],
      references: [.init(type: "dimg", from: 1, to: [Int](repeating: 2, count: 5000))])
    guard case .unsupported = Self.failure(file) else {
      Issue.record("not refused")
      return
    }
  }

  @Test(
    "Other kinds of items are refused by name",
    arguments: ["iovl", "tmap", "jpeg", "avc1", "vvc1", "j2k1", "unci", "abcd"])
  func itemTypes(type: String) throws {
    let file = SyntheticFile(
      items: [.init(type: type, data: [0], properties: [1])],
      properties: [SyntheticFile.size(64, 48)])
    guard case .unsupported(let reason) = try #require(Self.failure(file)) else {
      Issue.record("not refused as unsupported")
      return
    }
    let names = ["jpeg": "JPEG", "avc1": "H.264", "vvc1": "H.266", "j2k1": "JPEG 2000"]
    #expect(reason.contains(names[type] ?? type))
  }

  @Test("Derivations that form a ring are refused", arguments: ["iden", "grid"])
  func ring(type: String) {
    let file = SyntheticFile(
      items: [
        .init(
          type: type, data: SyntheticFile.grid(columns: 1, rows: 1, width: 64, height: 48),
          properties: [1])
      ],
      properties: [SyntheticFile.size(64, 48)],
      references: [.init(type: "dimg", from: 1, to: [1])])
    guard case .unsupported = Self.failure(file) else {
      Issue.record("not refused")
      return
    }
  }

  @Test("An image sequence without a still is refused by name")
  func sequence() {
    let file =
      SyntheticFile.box("ftyp", Array("hevcmsf1".utf8), Array("msf1".utf8))
      + SyntheticFile.box("moov", [0, 0, 0, 0])
    #expect(
      throws: DecodeFailure.unsupported("an image sequence without a still picture")
    ) {
      try header(of: file)
    }
  }

  @Test("Every byte of a small file may be anything")
  func mutations() async throws {
    let file = try await TestPicture.waves(width: 64, height: 64).avif()
    let boxes = try #require(file.offset(of: "mdat"))
    for offset in 0..<boxes {
      for value: UInt8 in [0, 1, 0x7f, 0xff] {
        // Whatever comes of it, it is a header or a typed failure.
        _ = try? header(of: file.patched(at: offset, with: [value]))
      }
    }
  }
}
