import Files
import Foundation
import Imaging
import Media
import TestSupport
import Testing

/// GIFs that we write, as libvips, FFmpeg and Pillow read them.
@Suite("Animated output", .timeLimit(.minutes(20)))
struct AnimatedOutputTests {
  typealias File = FramePlayerTests.File

  private final class Output {
    let reply: RenderReply
    let folder: TemporaryDirectory
    /// Nil where no rendition was made.
    let path: String?

    init(reply: RenderReply, folder: consuming TemporaryDirectory, path: String?) {
      self.reply = reply
      self.folder = folder
      self.path = path
    }
  }

  private func render(
    _ bytes: [UInt8], animatedBudget: Int?, stillBudget: Int? = nil,
    flatten: RGBColour? = nil, time: Duration? = nil
  ) throws -> Output {
    let span = bytes.span
    let input = unsafe try MemoryFile.sealed("animation", holding: span.bytes)
    let output = try RenderedOutput()
    let rendition = RenderRequest.Rendition(
      box: PixelSize(width: 1320, height: 960), fit: .contain, stillBudget: stillBudget,
      animatedBudget: animatedBudget)
    let reply = Thumbnailer.run(
      RenderRequest(
        operation: .render, renditions: [rendition], flatten: flatten, acceptsPartial: true,
        time: time),
      input: input.number, output: output.number)
    let folder = try TemporaryDirectory()
    guard let made = reply.renditions.first else {
      return Output(reply: reply, folder: folder, path: nil)
    }
    let path = folder.path(of: "out.\(made.format.fileExtensions[0])")
    try Data(try output.bytes()[made.bytes]).write(to: URL(fileURLWithPath: path))
    return Output(reply: reply, folder: folder, path: path)
  }

  private func play(_ file: File) throws -> PlayedAnimation? {
    guard let played = try? PlayedAnimation.play(try FileBytes.read(file.path), as: file.format),
      played.frames.count > 1
    else { return nil }
    return played
  }

  /// What a GIF can show of a frame.
  private func opaque(_ frame: [UInt8]) -> [UInt8] {
    var frame = frame
    for start in stride(from: 0, to: frame.count, by: 4) {
      let isOpaque = frame[start + 3] >= 128
      for component in 0..<3 where !isOpaque { frame[start + component] = 0 }
      frame[start + 3] = isOpaque ? 255 : 0
    }
    return frame
  }

  @Test(
    "without a budget every frame is shown when and as it was", arguments: FramePlayerTests.files)
  func whole(_ file: File) throws {
    guard let source = try play(file) else { return }
    // A busy machine does not get through the longest of them in the usual time.
    let output = try render(
      try FileBytes.read(file.path), animatedBudget: .max, time: .seconds(600))
    let made = try #require(output.reply.renditions.first, "\(output.reply.problems)")
    guard made.format == .gif else {
      // All frames alike, or only one that can be played.
      #expect(Set(source.frames).count == 1 || source.failure != nil)
      return
    }
    let path = try #require(output.path)
    let shown = try #require(
      try ReferencePlayer.vips.play(path, width: made.size.width, height: made.size.height))
    #expect(shown.frames.count == made.frames)
    for player in [ReferencePlayer.ffmpeg, .pillow] {
      let other = try player.play(path, width: made.size.width, height: made.size.height)
      #expect(other?.frames.count == made.frames, "\(player)")
    }
    let total = shown.milliseconds.reduce(0, +)
    #expect(abs(total - source.milliseconds.reduce(0, +)) <= 10)
    #expect(shown.loop ?? 1 == source.header?.loopCount)
    try compare(source, shown)
  }

  /// At the middle of each source frame the output shows it, as well as 256 colours can.
  private func compare(_ source: PlayedAnimation, _ shown: ReferencePlayer.Animation) throws {
    var ends: [Double] = []
    for milliseconds in shown.milliseconds { ends.append((ends.last ?? 0) + milliseconds) }
    var start = 0.0
    for (frame, milliseconds) in zip(source.frames, source.milliseconds) {
      defer { start += milliseconds }
      // Faster than a GIF can tell.
      guard milliseconds >= 20 else { continue }
      let middle = start + milliseconds / 2
      let index = ends.firstIndex { $0 > middle } ?? ends.count - 1
      let wanted = opaque(frame)
      guard shown.frames[index] != wanted else { continue }
      let quality = try #require(decibels(shown.frames[index], wanted))
      let colours = Set(stride(from: 0, to: wanted.count, by: 4).map { wanted[$0..<$0 + 4] }).count
      #expect(colours > 255, "\(quality) dB at \(start) ms")
      #expect(quality > 27, "at \(start) ms")
    }
  }

  @Test("a budget holds, or a still is made", arguments: FramePlayerTests.files)
  func budgets(_ file: File) throws {
    guard let source = try play(file) else { return }
    let bytes = try FileBytes.read(file.path)
    for budget in [5_000_000, 200_000, 20_000, 1000] {
      let output = try render(bytes, animatedBudget: budget, stillBudget: 60_000)
      let made = try #require(output.reply.renditions.first, "\(output.reply.problems)")
      guard made.format == .gif else {
        #expect(made.frames == 1 && made.bytes.count <= 60_000)
        continue
      }
      #expect(made.bytes.count <= budget)
      #expect(made.frames > 1 || Set(source.frames.map(opaque)).count == 1)
      let path = try #require(output.path)
      let shown = try #require(
        try ReferencePlayer.vips.play(path, width: made.size.width, height: made.size.height))
      #expect(shown.frames.count == made.frames)
      #expect(abs(shown.milliseconds.reduce(0, +) - source.milliseconds.reduce(0, +)) <= 10)
    }
  }

  @Test("a still is not of the blank frame that comes first, nor of one that fades in")
  func poster() throws {
    // Black, then grey on black, then white on black.
    var gif = GIFBuilder(32, 32, palette: [0, 0, 0, 40, 40, 40, 255, 255, 255, 255, 0, 0])
    for ink in [UInt8(0), 1, 2, 2] {
      gif.control(hundredths: 10)
      gif.frame(
        (0..<32).map { row in (0..<32).map { ($0 / 4 + row / 4).isMultiple(of: 2) ? ink : 0 } })
    }
    gif.end()
    let output = try render(gif.bytes, animatedBudget: nil)
    let made = try #require(output.reply.renditions.first)
    #expect(made.format == .jpeg && made.frames == 1)
    let path = try #require(output.path)
    let pixels = try IndependentReader.decode(try FileBytes.read(path))
    #expect((pixels.samples.max() ?? 0) > 240)
  }

  @Test("what was made in a hurry is told to be so: another time brings more")
  func hurried() throws {
    for name in ["gif/animated.gif", "png/animated.png", "webp/animated.webp"] {
      let bytes = try FileBytes.read(Project.path("media-samples/\(name)"))
      for budget in [Int.max, nil] as [Int?] {
        #expect(
          try render(bytes, animatedBudget: budget, time: .nanoseconds(1)).reply.extent == .hurried)
        #expect(
          try render(bytes, animatedBudget: budget, time: .seconds(600)).reply.extent == .whole)
        #expect(try render(bytes, animatedBudget: budget).reply.extent == .whole)
      }
    }
  }

  @Test("delays whose sum no 32 bits hold are played") func longDelays() throws {
    let bytes = try FileBytes.read(Project.path("media-samples/webp/animated.webp"))
    let first = try #require(Data(bytes).range(of: Data("ANMF".utf8))).lowerBound
    let length = 8 + (0..<4).reduce(0) { $0 | Int(bytes[first + 4 + $1]) << (8 * $1) }
    var frame = Array(bytes[first..<first + length + length % 2])
    // After position and size, in 24 bits.
    for place in 20..<23 { frame[place] = 0xFF }
    let frames = [[UInt8]](repeating: frame, count: 150).flatMap(\.self)
    var file = Array(bytes[..<first]) + frames
    for place in 0..<4 {
      file[4 + place] = UInt8(truncatingIfNeeded: (file.count - 8) >> (8 * place))
    }
    let played = try PlayedAnimation.play(file, as: .webp)
    #expect(played.failure == nil)
    #expect(played.milliseconds == [Double](repeating: 16_777_215, count: 150))
  }

  @Test("chunks that are out of order end an animation, as in browsers; that is told")
  func outOfOrder() throws {
    let bytes = try FileBytes.read(Project.path("media-samples/png/animated.png"))
    let whole = try PlayedAnimation.play(bytes, as: .png)
    var rest = bytes[8...]
    var place = 8
    var controls: [Int] = []
    while rest.count >= 12 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      if rest.dropFirst(4).starts(with: Array("fcTL".utf8)) { controls.append(place) }
      rest = rest.dropFirst(length + 12)
      place += length + 12
    }
    try #require(controls.count == whole.frames.count)
    for damaged in 1..<controls.count {
      var file = bytes
      file[controls[damaged] + 11] ^= 0x40
      let played = try PlayedAnimation.play(file, as: .png)
      #expect(played.frames == Array(whole.frames.prefix(damaged)))
      #expect(played.failure != nil)
      let output = try render(file, animatedBudget: .max)
      #expect(output.reply.renditions.count == 1)
      #expect(output.reply.problems.map(\.code) == [.corrupt])
    }
  }

  @Test("pixels that vanish again are taken away by disposal") func vanishing() throws {
    var gif = GIFBuilder(8, 8, palette: [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255])
    gif.loop(2)
    for left in [0, 4, 2] {
      var lines = [[UInt8]](repeating: [UInt8](repeating: 0, count: 8), count: 8)
      for row in 2..<6 { for x in left..<left + 4 { lines[row][x] = 1 } }
      gif.control(disposal: 2, hundredths: 7, transparent: 0)
      gif.frame(lines)
    }
    gif.end()
    let source = try PlayedAnimation.play(gif.bytes, as: .gif)
    let output = try render(gif.bytes, animatedBudget: .max)
    let path = try #require(output.path)
    let shown = try #require(try ReferencePlayer.vips.play(path, width: 8, height: 8))
    #expect(shown.frames == source.frames)
    #expect(shown.milliseconds == [70, 70, 70])
    #expect(shown.loop == 3)
  }

  @Test("partial alpha is laid on the colour that is asked for") func flattened() throws {
    let file = try #require(Samples.all.first { $0.name == "png/animated-partial.png" })
    let output = try render(
      try FileBytes.read(file.path), animatedBudget: .max,
      flatten: RGBColour(red: 0, green: 0, blue: 255))
    let path = try #require(output.path)
    let made = try #require(output.reply.renditions.first)
    let shown = try #require(
      try ReferencePlayer.vips.play(path, width: made.size.width, height: made.size.height))
    for frame in shown.frames {
      #expect(stride(from: 3, to: frame.count, by: 4).allSatisfy { frame[$0] == 255 })
    }
  }
}
