import Foundation
import Imaging
import Media

/// Lanczos-3 as its definition says, without any of the product's economies: every output sample is
/// one double sum over the whole picture.
enum ReferenceScaler {
  static func weight(_ distance: Double) -> Double {
    if distance == 0 { return 1 }
    if abs(distance) >= 3 { return 0 }
    let a = Double.pi * distance
    return sin(a) / a * (sin(a / 3) / (a / 3))
  }

  /// The weights of one output sample over all input samples, adding up to one.
  static func weights(inputs: Int, outputs: Int, output: Int) -> [Double] {
    let step = Double(inputs) / Double(outputs)
    let centre = (Double(output) + 0.5) * step
    let raw = (0..<inputs).map { weight((Double($0) + 0.5 - centre) / max(1, step)) }
    let sum = raw.reduce(0, +)
    return raw.map { $0 / sum }
  }

  /// Unrounded samples of the plane at another size.
  static func scale(_ plane: PixelPlane<UInt8>, to size: PixelSize) -> [Double] {
    let components = plane.components
    let columns = (0..<size.width).map {
      weights(inputs: plane.size.width, outputs: size.width, output: $0)
    }
    var result: [Double] = []
    for y in 0..<size.height {
      let rows = weights(inputs: plane.size.height, outputs: size.height, output: y)
      for x in 0..<size.width {
        for c in 0..<components {
          var sum = 0.0
          for (row, rowWeight) in rows.enumerated() where rowWeight != 0 {
            for (column, columnWeight) in columns[x].enumerated() where columnWeight != 0 {
              let index = (row * plane.size.width + column) * components + c
              sum += rowWeight * columnWeight * Double(plane.samples[index])
            }
          }
          result.append(sum)
        }
      }
    }
    return result
  }
}
