/// The mean colour of a part of a picture, in JFIF's terms, 0…255: luma, and differences about 128.
package struct PartColour: Sendable, Hashable {
  package var components: SIMD3<Double>
  /// 0…1.
  package var opacity = 1.0

  /// Of luma and differences in JFIF's terms.
  package init(luma: Double, blue: Double, red: Double) {
    components = SIMD3(luma, blue, red)
  }

  /// Of red, green and blue, 0…255 (JFIF 1.02, the conversion from RGB).
  package init(red: Double, green: Double, blue: Double) {
    let luma = 0.299 * red + 0.587 * green + 0.114 * blue
    self.init(luma: luma, blue: (blue - luma) / 1.772 + 128, red: (red - luma) / 1.402 + 128)
  }

  /// Of what a raster's samples have in the mean; nil for colours that are inks.
  init?(_ means: PartMeans.Components, of raster: RasterDescription) {
    let means = raster.depth == .sixteen ? means / 257 : means
    switch raster.model {
    case .yCbCr: self.init(luma: means[0], blue: means[1], red: means[2])
    case .rgb: self.init(red: means[0], green: means[1], blue: means[2])
    case .gray: self.init(luma: means[0], blue: 128, red: 128)
    case .cmyk: return nil
    }
    if raster.hasAlpha { opacity = means[raster.model == .gray ? 1 : 3] / 255 }
  }

  /// How far each component is from another's.
  func distance(to other: PartColour) -> SIMD3<Double> {
    let difference = components - other.components
    return difference.replacing(with: -difference, where: difference .< 0)
  }
}
