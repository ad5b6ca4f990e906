package import Media

/// A whole bounded plane: rows of interleaved samples without padding.
package struct PixelPlane<Sample: PixelSample>: Sendable, Hashable {
  package var size: PixelSize
  package var components: Int
  package var samples: [Sample]

  package init(size: PixelSize, components: Int, samples: [Sample]) {
    self.size = size
    self.components = components
    self.samples = samples
  }

  var samplesPerRow: Int { size.width * components }
}

/// A picture at its output size, whole in memory.
package struct BoundedPicture<Sample: PixelSample>: Sendable, Hashable {
  package var model: ColourModel
  /// Whether the last component is straight alpha.
  package var hasAlpha: Bool
  /// One plane, or three (YCbCr; chroma of full size, or of half the size rounded up).
  package var planes: [PixelPlane<Sample>]

  package init(model: ColourModel, hasAlpha: Bool, planes: [PixelPlane<Sample>]) {
    self.model = model
    self.hasAlpha = hasAlpha
    self.planes = planes
  }

  package var size: PixelSize { planes.first?.size ?? PixelSize(width: 0, height: 0) }
}
