/// What a decoder may be asked to swallow.
package struct DecodeLimits: Sendable, Hashable {
  /// Declared pixels of one frame; 100 megapixels unless asked otherwise.
  package var maxPixels: Int
  /// Frames of an animation that are looked at.
  package var maxFrames: Int

  package init(maxPixels: Int = 100_000_000, maxFrames: Int = 1000) {
    self.maxPixels = maxPixels
    self.maxFrames = maxFrames
  }
}
