/// A width and a height in pixels, both positive.
package struct PixelSize: Sendable, Hashable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// width × height; nil where it would not fit an Int.
  package var area: Int? {
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? nil : area
  }

  /// The size of the same picture turned by a quarter.
  package var transposed: PixelSize { PixelSize(width: height, height: width) }
}

extension PixelSize: CustomStringConvertible {
  package var description: String { "\(width)x\(height)" }
}
