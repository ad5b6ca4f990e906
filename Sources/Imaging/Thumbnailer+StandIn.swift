internal import Media

extension Thumbnailer {
  private static let standInLimits = DecodeLimits(maxPixels: 2_000_000, maxFrames: 1)

  /// The renditions of a progressive JPEG made from its thumbnail, where they are no larger than it
  /// and it shows the same picture, as the first scans have it; nil where that is not so. Of any
  /// other file that would be told by decoding the whole picture alone.
  static func standIn(
    _ request: RenderRequest, input: Int32, output: Int32
  ) -> RenderReply? {
    guard request.operation == .render, request.embedded == .asFallback,
      request.reading != .everything
    else { return nil }
    return try? thumbnailReply(request, input: input, output: output)
  }

  private static func thumbnailReply(
    _ request: RenderRequest, input: Int32, output: Int32
  ) throws(DecodeFailure) -> RenderReply? {
    guard let embedded = try JPEGMetadata.read(input).thumbnail else { return nil }
    var picture = JPEGDecoder(input: input, use: .coarsest)
    let header = try picture.readHeader(request.limits)
    guard picture.hasSeveralScans else { return nil }
    var thumbnail = JPEGDecoder(input: input, part: embedded.part)
    let size = try thumbnail.readHeader(standInLimits).rasterSize
    guard let needed = RenditionPass(request, header: header).needed,
      size.width >= needed.width, size.height >= needed.height,
      size.isRounded(from: header.rasterSize)
    else { return nil }
    var (coarse, small) = (CoarsePicture(), CoarsePicture())
    try picture.decode(needed: PixelSize(width: 1, height: 1), into: &coarse)
    try thumbnail.decode(needed: nil, into: &small)
    guard coarse.shows(small) else { return nil }
    var reply = RenderReply()
    picture = JPEGDecoder(input: input, use: .coarsest)
    show(embedded, request, of: &picture, input: input, output: output, reply: &reply)
    guard reply.renditions.count == request.renditions.count else { return nil }
    reply.extent = .whole
    return reply
  }
}

extension PixelSize {
  /// Whether it is a larger size made smaller in both directions alike, but for rounding.
  fileprivate func isRounded(from larger: PixelSize) -> Bool {
    let height = Double(width) * Double(larger.height) / Double(max(1, larger.width))
    return abs(height - Double(self.height)) <= 1
  }
}
