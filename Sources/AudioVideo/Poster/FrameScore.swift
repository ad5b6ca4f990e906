internal import Imaging
package import Media

/// How much a frame tells, measured on a small gray copy.
package struct FrameScore {
  /// Mean luma, 0…255.
  package let brightness: Double
  /// Standard deviation of luma.
  package let contrast: Double
  /// Mean absolute Laplacian: low where a frame is blurred, or a fade.
  package let sharpness: Double

  private static let longerSide = 320.0

  init(_ frame: borrowing FilmFrame) throws(DecodeFailure) {
    let whole = frame.size
    guard whole.width > 0, whole.height > 0 else { throw .corrupt("an empty frame") }
    let scale = min(1, Self.longerSide / Double(max(whole.width, whole.height)))
    let size = PixelSize(
      width: max(4, Int(Double(whole.width) * scale)),
      height: max(4, Int(Double(whole.height) * scale)))
    let converter = try FrameConverter.make(for: frame, target: .gray, size: size)
    self.init(luma: try converter.convert(frame), size: size)
  }

  package init(luma: [UInt8], size: PixelSize) {
    let count = Double(max(1, luma.count))
    var (sum, squares, edges) = (0, 0, 0)
    for sample in luma {
      sum += Int(sample)
      squares += Int(sample) * Int(sample)
    }
    let width = size.width
    for row in 1..<max(2, size.height - 1) {
      for column in 1..<max(2, width - 1) {
        let place = row * width + column
        guard luma.indices.contains(place + width) else { continue }
        let around =
          Int(luma[place - 1]) + Int(luma[place + 1]) + Int(luma[place - width])
          + Int(luma[place + width])
        edges += abs(4 * Int(luma[place]) - around)
      }
    }
    brightness = Double(sum) / count
    contrast = max(0, Double(squares) / count - brightness * brightness).squareRoot()
    sharpness = Double(edges) / count
  }

  /// Whether the frame shows something: neither black nor white, neither flat nor a blur.
  package var isTelling: Bool {
    (24...232).contains(brightness) && contrast >= 16 && sharpness >= 2
  }

  /// 0…1, by which frames are compared.
  package var value: Double {
    let shown = 0.5 * min(1, contrast / 64) + 0.5 * min(1, sharpness / 24)
    return isTelling ? 0.5 + 0.5 * shown : 0.4 * shown
  }
}
