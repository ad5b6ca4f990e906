package import Media

extension PictureHints {
  /// What a whole picture of `size` tells, seen through `raster`.
  package init(_ raster: PreviewRaster, saliency: Saliency, size: PixelSize) {
    self.init(
      thumbHash: ThumbHash.encode(raster), dominantColour: DominantColour.find(in: raster),
      square: saliency.window(shape: PixelSize(width: 1, height: 1), of: size))
  }
}
