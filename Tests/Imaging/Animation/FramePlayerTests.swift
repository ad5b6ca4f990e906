import Foundation
import Imaging
import Media
import TestSupport
import Testing

/// Frames as other players compose them: exactly, before any scaling or quantisation. By night every
/// animation of the corpus, by day the samples and some of it.
@Suite("Frame players beside others", .timeLimit(.minutes(20)))
struct FramePlayerTests {
  struct File: Sendable, CustomStringConvertible {
    let description: String
    let path: String
    let format: MediaFormat
  }

  private static let samples = Samples.folder("gif", "png", "webp")
    .filter { $0.outcome == .picture && $0.frames > 1 }
    .map { File(description: $0.name, path: $0.path, format: $0.format) }

  private static let corpus = ["gif", "png", "webp"].flatMap { format in
    Corpus.files(format: format)
      .filter { ($0.frames ?? 1) > 1 }
      .compactMap { entry in
        MediaFormat(rawValue: entry.format).map {
          File(description: entry.name, path: entry.path, format: $0)
        }
      }
  }

  static let files =
    samples
    + corpus.enumerated().filter { TestScale.isNightly || $0.offset.isMultiple(of: 12) }
    .map(\.element)

  @Test("every frame is what another player makes of it", arguments: files)
  func frames(_ file: File) throws {
    guard let played = try play(file) else { return }
    let exception = PlayerException.all[(file.path as NSString).lastPathComponent]
    if case .notCompared(let reason) = exception {
      print("not compared: \(file): \(reason)")
      return
    }
    var differences: [String] = []
    for player in ReferencePlayer.players(of: file.format) {
      guard let other = try animation(of: file, by: player, like: played) else { continue }
      let difference = difference(played.frames, other.frames, exception)
      if difference == nil {
        print("exact beside \(player): \(file)")
        return
      }
      differences.append("\(player): \(difference ?? "")")
    }
    // Where nobody else reads the file, there is nothing to compare with.
    if differences.isEmpty { print("no other player reads \(file)") }
    #expect(differences.isEmpty, "\(differences.joined(separator: ", "))")
  }

  @Test("duration and loops are those that another player reads", arguments: files)
  func timing(_ file: File) throws {
    guard let played = try play(file), played.failure == nil else { return }
    var other: ReferencePlayer.Animation?
    for player in ReferencePlayer.players(of: file.format) {
      other = try animation(of: file, by: player, like: played)
      if other?.milliseconds.count == played.frames.count { break }
    }
    guard let other, other.milliseconds.count == played.frames.count else {
      print("no other player tells the time of \(file)")
      return
    }
    let theirs = other.milliseconds.reduce(0) { $0 + ($1 <= 10 ? 100 : $1) }
    let ours = played.milliseconds.reduce(0, +)
    #expect(abs(ours - theirs) <= 10)
    if let seconds = played.header?.facts.durationSeconds {
      #expect(
        abs(seconds * 1000 - ours) <= 10 || played.frames.count != played.header?.facts.frames)
    }
    let first = ReferencePlayer.players(of: file.format)[0]
    if let loop = try animation(of: file, by: first, like: played)?.loop {
      #expect(played.header?.loopCount == loop)
    }
  }

  /// Nil for what we refuse, or is no animation to us.
  private func play(_ file: File) throws -> PlayedAnimation? {
    do {
      let bytes = try FileBytes.read(file.path)
      let played = try PlayedAnimation.play(bytes, as: file.format)
      return played.frames.count > 1 ? played : nil
    } catch let failure as DecodeFailure {
      print("refused: \(file): \(failure)")
      return nil
    }
  }

  /// Pillow takes a default image that is no frame for one.
  private func animation(
    of file: File, by player: ReferencePlayer, like played: PlayedAnimation
  ) throws -> ReferencePlayer.Animation? {
    guard
      var other = try player.play(
        file.path, width: played.size.width, height: played.size.height)
    else { return nil }
    if file.format == .png, other.frames.count == played.frames.count + 1 {
      other.frames.removeFirst()
      if !other.milliseconds.isEmpty { other.milliseconds.removeFirst() }
    }
    return other
  }

  /// What differs, beyond what the exception allows; nil where nothing does.
  private func difference(
    _ ours: [[UInt8]], _ theirs: [[UInt8]], _ exception: PlayerException?
  ) -> String? {
    // A file that breaks off ends where each player thinks best.
    guard ours.count <= theirs.count else { return "\(theirs.count) frames of \(ours.count)" }
    for (number, (our, their)) in zip(ours, theirs).enumerated() {
      for start in stride(from: 0, to: our.count, by: 4) {
        if case .background = exception, our[start + 3] == 0 { continue }
        let steps = (start..<start + 4).map { abs(Int(our[$0]) - Int(their[$0])) }.max() ?? 0
        var allowed = 0
        if case .rounding(let most) = exception { allowed = most }
        if steps > allowed { return "frame \(number) by \(steps) at pixel \(start / 4)" }
      }
    }
    return nil
  }
}

/// Why a file's frames are not exactly those of any other player at hand.
enum PlayerException: Sendable {
  /// The others paint the background colour where a frame was disposed of, or where none was yet;
  /// browsers leave it transparent, as we do. All that is drawn is compared.
  case background
  /// Partial alpha over partial alpha is rounded differently, by so much at most.
  case rounding(Int)
  case notCompared(String)

  static let all: [String: PlayerException] = [
    "disposals.gif": .background,
    "dispose_bgnd.gif": .background,
    "dispose_bgnd_rgba.gif": .background,
    "background-color.gif": .background,
    "multiple-loop-counts.gif": .background,
    "245523ea90f05bc31936d3a992d354812d66e507-10": .background,
    "frame-out-of-bounds.gif":
      .notCompared("the others make the canvas larger, we clip the frames"),
    "mode_16bit.png":
      .notCompared("Pillow 9 blends alpha as if it were a colour, the others read no 16 bits"),
  ]
}
