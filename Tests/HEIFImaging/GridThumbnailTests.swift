import Files
import HEIFImaging
import Media
import Sandbox
import TestSupport
import Testing

/// Thumbnail items beside grids, compared with tiles of them, in the decoder's real process.
@Suite("Thumbnails of grids", .timeLimit(.minutes(15))) struct GridThumbnailTests {
  private static let tile = 64
  private static let (width, height) = (320, 256)

  /// What is different from a grid of 5 × 4 tiles with its thumbnail of half its size.
  private struct Variation {
    /// In the grid after the thumbnail was made.
    var painted: (x: Int, y: Int)?
    var thumbnail: TestPicture?
    /// Quarters anti-clockwise by the grid's own property; by the thumbnail's where it is not stored so.
    var turns = 0
    var thumbnailIsStoredTurned = false
    /// Transfer characteristics of the grid (ITU-T H.273).
    var transfer: Int?
  }

  private func file(_ variation: Variation = Variation()) async throws -> [UInt8] {
    let whole = TestPicture.waves(width: Self.width, height: Self.height)
    var picture = whole
    if let (x, y) = variation.painted {
      picture = picture.painted(x: x, y: y, width: Self.tile, height: Self.tile, [255, 0, 0])
    }
    var file = try await HEICGrid(
      picture, tile: Self.tile, width: Self.width, height: Self.height
    ).file
    var small = variation.thumbnail ?? TestPicture.waves(width: 160, height: 128)
    if variation.thumbnailIsStoredTurned { small = small.turned }
    let encoded = try await small.heic()
    let data = try #require(encoded.box("mdat")).dropFirst(8)
    file.properties.append(try #require(encoded.box("hvcC")))
    file.properties.append(SyntheticFile.size(small.width, small.height))
    var item = SyntheticFile.Item(type: "hvc1", data: Array(data), properties: [4, 5])
    if variation.turns > 0 {
      file.properties.append(SyntheticFile.box("irot", [UInt8(variation.turns)]))
      file.items[0].properties.append(file.properties.count)
      if !variation.thumbnailIsStoredTurned { item.properties.append(file.properties.count) }
    }
    if let transfer = variation.transfer {
      file.properties.append(
        SyntheticFile.box(
          "colr", Array("nclx".utf8), SyntheticFile.number(9, 2),
          SyntheticFile.number(transfer, 2), SyntheticFile.number(6, 2), [0x80]))
      file.items[0].properties.append(file.properties.count)
    }
    file.items.append(item)
    file.references.append(.init(type: "thmb", from: file.items.count, to: [1]))
    return file.bytes
  }

  private func render(
    _ bytes: [UInt8], box: Int = 160, comparison: Duration? = .seconds(600)
  ) async throws -> RenderReply {
    let size = PixelSize(width: box, height: box)
    let request = RenderRequest(
      operation: .render,
      renditions: [.init(box: size, fit: .contain, stillBudget: nil, animatedBudget: nil)],
      embedded: .always, comparison: comparison)
    let span = bytes.span
    let input = unsafe try MemoryFile.sealed("picture", holding: span.bytes)
    let supervisor = try ChildSupervisor(ChildConfiguration())
    let result = try await supervisor.render(
      request, family: .heif, input: input, deadline: .after(.seconds(600)))
    await supervisor.stop()
    return result.reply
  }

  @Test("One that shows the same is as good as the picture")
  func same() async throws {
    let reply = try await render(try await file())
    #expect(reply.extent == .hurried && reply.problems == [])
    #expect(reply.renditions.map(\.size) == [PixelSize(width: 160, height: 128)])
    #expect(reply.facts?.storedSize == PixelSize(width: Self.width, height: Self.height))
  }

  @Test(
    "It is as the picture is turned, by a property of its own or as it is stored",
    arguments: [1, 2, 3], [true, false])
  func turned(turns: Int, isStoredTurned: Bool) async throws {
    var variation = Variation(turns: turns, thumbnailIsStoredTurned: isStoredTurned)
    // Stored turned once, it fits a picture that is turned once.
    variation.thumbnailIsStoredTurned = isStoredTurned && turns == 1
    let reply = try await render(try await file(variation))
    #expect(reply.extent == .hurried, "\(reply.problems)")
    let size = PixelSize(width: 160, height: 128)
    #expect(
      reply.renditions.first?.size == (turns == 2 ? size : PixelSize(width: 128, height: 160)))
  }

  @Test(
    "One that lacks what a single tile shows is not shown",
    arguments: [(0, 0), (128, 64), (256, 192)])
  func painted(x: Int, y: Int) async throws {
    let reply = try await render(try await file(Variation(painted: (x, y))))
    #expect(reply.renditions.isEmpty)
    #expect(reply.problems.map(\.code) == [.noPicture])
  }

  @Test("Another picture's is not shown, and one that is turned otherwise is another's")
  func other() async throws {
    for other in [
      TestPicture.quadrants(width: 160, height: 128),
      TestPicture.waves(width: 160, height: 128).turned.turned,
    ] {
      let reply = try await render(try await file(Variation(thumbnail: other)))
      #expect(reply.renditions.isEmpty)
      #expect(reply.problems.map(\.code) == [.noPicture])
    }
  }

  @Test("Without time, or where it is too small, it is shown as what it is")
  func undecided() async throws {
    let same = try await file()
    let other = try await file(Variation(thumbnail: .quadrants(width: 160, height: 128)))
    for bytes in [same, other] {
      #expect(try await render(bytes, comparison: .zero).extent == .embedded)
      #expect(try await render(bytes, comparison: nil).extent == .embedded)
      #expect(try await render(bytes, box: 170).extent == .embedded)
    }
  }

  @Test("Where the colours are coded otherwise nothing is known")
  func colours() async throws {
    // Perceptual quantization against none.
    let reply = try await render(try await file(Variation(transfer: 16)))
    #expect(reply.extent == .embedded && reply.renditions.count == 1)
  }

  @Test("A picture of which a tile cannot be decoded is not vouched for")
  func spoilt() async throws {
    var bytes = try await file()
    let data = try #require(bytes.offset(of: "mdat")) + 4
    // The grid's eight bytes of data come first.
    bytes.replaceSubrange(data + 30..<data + 60, with: [UInt8](repeating: 0xff, count: 30))
    let reply = try await render(bytes)
    #expect(reply.extent != .hurried)
  }

  @Test("A picture in one piece is not compared: it takes as long as it does itself")
  func onePiece() async throws {
    let bytes = try await TestPicture.waves(width: 320, height: 256).heic("-t", "160")
    let reply = try await render(bytes)
    #expect(reply.extent == .embedded && reply.renditions.count == 1)
  }

  @Test(
    "A quarter of the tiles tells of all, of small grids four",
    arguments: [
      (1, 1), (2, 2), (4, 4), (8, 4), (16, 4), (17, 5), (48, 12),
    ])
  func telling(count: Int, expected: Int) {
    #expect(TileOrder.tellingCount(of: count) == expected)
  }

  @Test("However few tiles are seen, they lie all over the picture")
  func order() {
    for (columns, rows) in [(8, 6), (6, 8), (16, 12), (5, 4), (12, 12), (64, 64)] {
      let order = TileOrder.spread(columns: columns, rows: rows)
      #expect(order.sorted() == Array(0..<columns * rows))
      let quarter = order.prefix((order.count + 3) / 4)
      // Of any quarter of the picture's area about a quarter is among them.
      for top in [0, rows / 2] {
        for left in [0, columns / 2] {
          let seen = quarter.count { tile in
            (left..<left + columns / 2).contains(tile % columns)
              && (top..<top + rows / 2).contains(tile / columns)
          }
          let expected = Double((columns / 2) * (rows / 2)) / 4
          #expect(abs(Double(seen) - expected) <= max(1.5, expected / 4), "\(columns)x\(rows)")
        }
      }
      // No gap of three rows, or of three columns.
      let (seenRows, seenColumns) = (
        Set(quarter.map { $0 / columns }), Set(quarter.map { $0 % columns })
      )
      #expect((0..<rows - 2).allSatisfy { !seenRows.isDisjoint(with: $0...$0 + 2) })
      #expect((0..<columns - 2).allSatisfy { !seenColumns.isDisjoint(with: $0...$0 + 2) })
    }
  }
}

extension TestPicture {
  /// The same with a field of one colour.
  fileprivate func painted(
    x: Int, y: Int, width: Int, height: Int, _ colour: [UInt8]
  ) -> TestPicture {
    var painted = self
    for row in y..<y + height {
      for column in x..<x + width {
        let start = (row * self.width + column) * components
        painted.samples.replaceSubrange(start..<start + components, with: colour)
      }
    }
    return painted
  }

  /// A quarter anti-clockwise.
  fileprivate var turned: TestPicture {
    var samples: [UInt8] = []
    for x in (0..<width).reversed() {
      for y in 0..<height {
        samples += self.samples[(y * width + x) * components..<(y * width + x + 1) * components]
      }
    }
    return TestPicture(width: height, height: width, components: components, samples: samples)
  }
}
