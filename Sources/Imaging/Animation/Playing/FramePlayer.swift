package import Media

/// Plays one animation from its first frame to its last, each composed on the whole canvas. It is
/// played again by another player: nothing is kept of a frame but the canvas that the next one needs.
package protocol FramePlayer: ~Copyable {
  /// The canvas, as stored.
  var size: PixelSize { get }

  /// Composes the next frame and tells for how many milliseconds browsers show it; nil at the end.
  /// After a failure, the canvas is undefined.
  mutating func next() throws(DecodeFailure) -> Double?

  /// Lends a row of the composed canvas: red, green, blue and straight alpha for each pixel.
  func withRow(_ row: Int, _ body: (Span<UInt8>) throws(DecodeFailure) -> Void)
    throws(DecodeFailure)
}

/// Runs `body` with a player of an animation that is read by offset and stays its owner's; fails with
/// `.unsupported` for a format that has none.
package func withFramePlayer<Result>(
  for format: MediaFormat, input: Int32, limits: DecodeLimits,
  _ body: (inout any FramePlayer & ~Copyable) throws(DecodeFailure) -> Result
) throws(DecodeFailure) -> Result {
  var player = try framePlayer(for: format, input: input, limits: limits)
  return try body(&player)
}

private func framePlayer(
  for format: MediaFormat, input: Int32, limits: DecodeLimits
) throws(DecodeFailure) -> any FramePlayer & ~Copyable {
  switch format {
  case .gif: return try GIFFramePlayer.open(input, limits)
  case .png: return try PNGFramePlayer.open(input, limits)
  case .webp: return try WebPFramePlayer.open(input, limits)
  default: throw .unsupported("\(format.rawValue) animations are not decoded")
  }
}
