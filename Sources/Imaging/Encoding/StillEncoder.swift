package import Media

/// Encodes an sRGB still in the wanted format and within its bytes.
package struct StillEncoder {
  /// Quality is not lowered below this for a budget's sake (contract §5).
  private static let lowestQuality = 50

  let outputFormat: RenderRequest.OutputFormat
  let quality: Int
  let flatten: RGBColour?

  package init(_ request: RenderRequest) {
    outputFormat = request.outputFormat
    quality = max(1, min(100, request.quality))
    flatten = request.flatten
  }

  /// Encodes a gray, RGB or 4:2:0 picture: by quality first, then by size, until it fits `budget`.
  ///
  /// A picture with alpha that must become JPEG is laid on white where no colour was asked for.
  package func encode(
    _ picture: BoundedPicture<UInt8>, budget: Int?
  ) throws(DecodeFailure) -> EncodedPicture {
    let (picture, format) = prepared(picture)
    let first = try encode(picture, as: format, quality: quality)
    guard let budget, first.bytes.count > budget else { return first }
    var smallest = first
    if format == .jpeg, quality > Self.lowestQuality {
      smallest = try encode(picture, as: format, quality: Self.lowestQuality)
      if smallest.bytes.count <= budget {
        return try best(picture, fitting: budget, above: smallest)
      }
    }
    return try shrink(picture, as: format, from: smallest, budget: budget)
  }

  /// Settles the format, and takes alpha away where it is not kept.
  private func prepared(
    _ picture: BoundedPicture<UInt8>
  ) -> (BoundedPicture<UInt8>, MediaFormat) {
    let isOpaque = picture.isOpaque
    let bare = isOpaque ? picture.droppingAlpha() : picture
    let flat = flatten.map { bare.flattened(on: $0) } ?? bare
    return switch outputFormat {
    case .auto: (flat, flat.hasAlpha ? .png : .jpeg)
    case .jpeg: (flat.flattened(on: RGBColour(red: 255, green: 255, blue: 255)), .jpeg)
    case .png: (flat, .png)
    case .gif: (flat, .gif)
    }
  }

  private func encode(
    _ picture: BoundedPicture<UInt8>, as format: MediaFormat, quality: Int
  ) throws(DecodeFailure) -> EncodedPicture {
    switch format {
    case .jpeg: try JPEGEncoder.encode(picture, quality: quality)
    case .gif: try GIFEncoder.encode(PaletteQuantizer.quantize(picture))
    default: try PNGEncoder.encode(picture)
    }
  }

  /// Bisects for the highest quality that fits, knowing one that does.
  private func best(
    _ picture: BoundedPicture<UInt8>, fitting budget: Int, above fitting: EncodedPicture
  ) throws(DecodeFailure) -> EncodedPicture {
    var best = fitting
    var (low, high) = (Self.lowestQuality, quality)
    while high - low > 1 {
      let middle = (low + high) / 2
      let attempt = try JPEGEncoder.encode(picture, quality: middle)
      if attempt.bytes.count <= budget {
        (best, low) = (attempt, middle)
      } else {
        high = middle
      }
    }
    return best
  }

  /// Makes the picture smaller until it fits; bytes are taken to follow the area.
  private func shrink(
    _ picture: BoundedPicture<UInt8>, as format: MediaFormat, from first: EncodedPicture,
    budget: Int
  ) throws(DecodeFailure) -> EncodedPicture {
    var attempt = first
    var scale = 1.0
    while attempt.bytes.count > budget {
      guard attempt.size != PixelSize(width: 1, height: 1) else {
        throw .byteBudget(smallest: attempt.bytes.count, budget: budget)
      }
      let share = Double(budget) / Double(attempt.bytes.count)
      scale *= max(0.25, min(0.95, share.squareRoot() * 0.98))
      let size = PixelSize(
        width: max(1, Int((Double(picture.size.width) * scale).rounded())),
        height: max(1, Int((Double(picture.size.height) * scale).rounded())))
      attempt = try encode(
        picture.scaled(to: size), as: format, quality: min(quality, Self.lowestQuality))
    }
    return attempt
  }
}
