package import Media

/// Runs `body` with the decoder of a format on an input that is read by offset and stays its
/// owner's; fails with `.unsupported` for a format that is none of ours. `use` says how much of a
/// progressive picture is read.
package func withPictureDecoder<Result>(
  for format: MediaFormat, input: Int32, use: ScanUse = .enough(time: nil),
  _ body: (inout any PictureDecoder & ~Copyable) throws(DecodeFailure) -> Result
) throws(DecodeFailure) -> Result {
  var decoder = try pictureDecoder(for: format, input: input, use)
  return try body(&decoder)
}

private func pictureDecoder(
  for format: MediaFormat, input: Int32, _ use: ScanUse
) throws(DecodeFailure) -> any PictureDecoder & ~Copyable {
  switch format {
  case .jpeg: return JPEGDecoder(input: input, use: use)
  case .png: return PNGDecoder(input: input)
  case .gif: return GIFDecoder(input: input)
  case .webp: return WebPDecoder(input: input)
  default: throw .unsupported("\(format.rawValue) pictures are not decoded")
  }
}
