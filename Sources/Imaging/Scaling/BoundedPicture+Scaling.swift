package import Media

extension BoundedPicture {
  /// The whole picture at another size, its planes each in their own geometry.
  package func scaled(to size: PixelSize) -> BoundedPicture {
    let raster = RasterDescription(
      model: model, hasAlpha: hasAlpha, depth: Sample.bitWidth == 8 ? .eight : .sixteen,
      planes: planes.map { RasterDescription.Plane(size: $0.size, components: $0.components) })
    let plan = ScalingPlan(part: .whole, size: size, orientation: .up)
    let isHalved = planes.count == 3 && planes[1].size != planes[0].size
    var scaler = PictureScaler<Sample>(
      plan, raster: raster, storedSize: self.size, chroma: isHalved ? .halved : .full)
    for (index, plane) in planes.enumerated() {
      let count = plane.samplesPerRow
      for row in 0..<plane.size.height {
        scaler.consume(plane.samples.span.extracting(row * count..<(row + 1) * count), plane: index)
      }
    }
    return scaler.takePicture() ?? self
  }
}
