package import Media

/// A finished file in memory.
package struct EncodedPicture: Sendable, Hashable {
  package var format: MediaFormat
  package var size: PixelSize
  package var frames: Int
  package var bytes: [UInt8]

  package init(format: MediaFormat, size: PixelSize, frames: Int = 1, bytes: [UInt8]) {
    self.format = format
    self.size = size
    self.frames = frames
    self.bytes = bytes
  }
}
