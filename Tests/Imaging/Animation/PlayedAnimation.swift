import Files
import Foundation
import Imaging
import Media
import TestSupport

/// All frames of an animation, as our players compose them.
struct PlayedAnimation {
  var size = PixelSize(width: 0, height: 0)
  /// Red, green, blue, alpha; nothing where alpha is 0.
  var frames: [[UInt8]] = []
  var milliseconds: [Double] = []
  /// What ended it early.
  var failure: DecodeFailure?
  var header: PictureHeader?

  /// Plays a file; throws what forbids even to begin.
  static func play(
    _ bytes: [UInt8], as format: MediaFormat, limits: DecodeLimits = DecodeLimits()
  ) throws -> PlayedAnimation {
    let span = bytes.span
    let file = unsafe try MemoryFile.sealed("animation", holding: span.bytes)
    let number = file.number
    var played = PlayedAnimation()
    played.header = try withPictureDecoder(for: format, input: number) {
      (decoder) throws(DecodeFailure) in try decoder.readHeader(limits)
    }
    try withFramePlayer(for: format, input: number, limits: limits) {
      (player) throws(DecodeFailure) in
      played.size = player.size
      do throws(DecodeFailure) {
        while let milliseconds = try player.next() {
          played.milliseconds.append(milliseconds)
          played.frames.append(try canvas(player))
        }
      } catch {
        played.failure = error
      }
    }
    return played
  }

  private static func canvas(
    _ player: borrowing any FramePlayer & ~Copyable
  ) throws(DecodeFailure) -> [UInt8] {
    let size = player.size
    var pixels: [UInt8] = []
    pixels.reserveCapacity(size.width * size.height * 4)
    for row in 0..<size.height {
      try player.withRow(row) { row in
        for index in row.indices { pixels.append(row[index]) }
      }
    }
    return pixels.withoutHiddenColours
  }
}

extension [UInt8] {
  /// RGBA pixels whose colours count only where something of them can be seen.
  var withoutHiddenColours: [UInt8] {
    var pixels = self
    for start in stride(from: 0, to: pixels.count - 3, by: 4) where pixels[start + 3] == 0 {
      (pixels[start], pixels[start + 1], pixels[start + 2]) = (0, 0, 0)
    }
    return pixels
  }
}
