internal import Media

extension Thumbnailer {
  /// The renditions of a progressive JPEG made from its thumbnail, where they are no larger than it
  /// and it shows the same picture, as the first scans have it; nil where that is not so. That of
  /// any other file is compared where there is no time for its picture (`showThumbnail`).
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
    let whole = try picture.readHeader(request.limits)
    guard picture.hasSeveralScans else { return nil }
    var thumbnail = JPEGDecoder(input: input, part: embedded.part)
    var header = try thumbnail.readHeader(thumbnailLimits)
    header.take(embedded.orientation, from: whole)
    guard whole.mayBeServed(by: header, request) else { return nil }
    var coarse = CoarsePicture()
    try thumbnail.decode(needed: nil, into: &coarse)
    var comparison = PictureComparison(
      with: coarse, orientation: header.rasterOrientation,
      pictureOrientation: whole.rasterOrientation)
    try picture.show(to: &comparison)
    guard comparison.verdict == .same else { return nil }
    var reply = RenderReply()
    picture = JPEGDecoder(input: input, use: .coarsest)
    show(embedded, request, of: &picture, input: input, output: output, reply: &reply)
    guard reply.renditions.count == request.renditions.count else { return nil }
    reply.extent = .whole
    return reply
  }
}
