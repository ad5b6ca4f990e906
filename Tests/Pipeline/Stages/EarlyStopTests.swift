import Media
import Pipeline
import TestSupport
import Testing

@Suite struct EarlyStopTests {
  private static let small = PictureNeeds([.box(100)])
  private static let large = PictureNeeds([.iphone])

  private static func sample() throws -> [UInt8] {
    try FileBytes.read(Project.path("media-samples/jpeg/large-progressive.jpg"))
  }

  /// What a download in pieces of 5,000 bytes ends with; nil where all of it is read.
  private static func end(
    _ stop: EarlyStop, _ file: [UInt8], declared: Int?, elapsed: Duration? = nil
  ) -> Int? {
    for start in stride(from: 0, to: file.count, by: 5000) {
      let piece = Array(file[start..<min(start + 5000, file.count)])
      let end = stop.look(piece.span, offset: start, declared: declared, elapsed: elapsed)
      if let end { return end }
    }
    return nil
  }

  @Test("Small pictures need the first scans, large ones all")
  func stops() throws {
    let file = try Self.sample()
    let stop = EarlyStop(Self.small, deadline: .after(.seconds(60)))
    let end = try #require(Self.end(stop, file, declared: nil))
    #expect(end < file.count * 9 / 10)
    #expect(file[end - 2] == 0xFF)
    #expect(stop.beginning?.size == PixelSize(width: 2400, height: 1600))
    #expect(stop.beginning?.eighths == 1)
    #expect(stop.beginning?.isHurried == false)
    #expect(
      Self.end(EarlyStop(Self.large, deadline: .after(.seconds(60))), file, declared: nil) == nil)
  }

  @Test("What is nearly all is read to its end")
  func nearlyAll() throws {
    let file = try Self.sample()
    let stop = EarlyStop(Self.small, deadline: .after(.seconds(60)))
    let end = try #require(Self.end(stop, file, declared: nil))
    #expect(Self.end(stop, file, declared: end + 65_535) == nil)
    #expect(Self.end(stop, file, declared: end + 65_536) == end)
  }

  @Test("Without time left one bit less will do, and is told")
  func hurry() throws {
    let file = try Self.sample()
    let hour = Duration.seconds(3600)
    let stop = EarlyStop(Self.large, deadline: .after(.seconds(60)))
    // Without a length nobody knows how long the rest would take.
    #expect(Self.end(stop, file, declared: nil, elapsed: hour) == nil)
    let declared = file.count + 100_000
    #expect(Self.end(stop, file, declared: declared, elapsed: .milliseconds(1)) == nil)
    let end = try #require(Self.end(stop, file, declared: declared, elapsed: hour))
    #expect(end < file.count)
    #expect(stop.beginning?.isHurried == true)
    // A download that goes on for later jobs has the time for all of the file.
    let late = EarlyStop(Self.large, deadline: .after(.zero))
    #expect(Self.end(late, file, declared: declared, elapsed: hour) == nil)
  }

  @Test("A second try begins anew")
  func secondTry() throws {
    let file = try Self.sample()
    let stop = EarlyStop(Self.small, deadline: .after(.seconds(60)))
    #expect(stop.look(Array(file.prefix(3000)).span, offset: 0, declared: nil) == nil)
    let end = Self.end(stop, file, declared: nil)
    #expect(
      end == Self.end(EarlyStop(Self.small, deadline: .after(.seconds(60))), file, declared: nil))
  }

  @Test("A beginning serves what needs no larger scale, whichever way the picture is turned")
  func needs() {
    let size = PixelSize(width: 4000, height: 3000)
    #expect(PictureNeeds([.box(300)]).eighths(of: size) == 1)
    #expect(PictureNeeds([.box(400)]).eighths(of: size) == 2)
    #expect(PictureNeeds([.box(300), .box(400)]).eighths(of: size) == 2)
    // Upright it is 400 × 300 in this box, turned 533 × 400.
    let wide = RenditionProfile(
      name: "wide", box: PixelSize(width: 400, height: 400), fit: .contain, stillBudget: nil,
      animatedBudget: nil)
    #expect(PictureNeeds([wide]).eighths(of: size) == 2)
    let beginning = FileBeginning(size: size, eighths: 1)
    #expect(PictureNeeds([.box(200)]).areMet(by: beginning))
    #expect(!PictureNeeds([.iphone]).areMet(by: beginning))
  }
}

extension RenditionProfile {
  fileprivate static func box(_ side: Int) -> RenditionProfile {
    RenditionProfile(
      name: "box", box: PixelSize(width: side, height: side), fit: .contain, stillBudget: nil,
      animatedBudget: nil)
  }
}
