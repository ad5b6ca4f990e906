internal import Glibc
internal import Media

/// A blurred likeness in a few bytes: average colour, and the lowest frequencies of the discrete
/// cosine transform of luminance, two colour differences and alpha.
///
/// The format is Evan Wallace's ThumbHash: a 24-bit and a 16-bit header, little-endian, one byte for
/// alpha where there is any, then a nibble a coefficient.
enum ThumbHash {
  static func encode(_ raster: PreviewRaster) -> [UInt8] {
    let channels = Channels(raster)
    let (width, height) = (raster.size.width, raster.size.height)
    let longest = Double(max(width, height))
    let limit = channels.hasAlpha ? 5.0 : 7.0
    let across = max(1, Int((limit * Double(width) / longest).rounded()))
    let down = max(1, Int((limit * Double(height) / longest).rounded()))
    func spectrum(_ channel: [Double], _ across: Int, _ down: Int) -> Spectrum {
      Spectrum(channel, width: width, height: height, across: across, down: down)
    }
    let luminance = spectrum(channels.luminance, max(3, across), max(3, down))
    let yellowBlue = spectrum(channels.yellowBlue, 3, 3)
    let redGreen = spectrum(channels.redGreen, 3, 3)
    let isLandscape = width > height
    let head =
      step(luminance.mean, 63) | step(0.5 + 0.5 * yellowBlue.mean, 63) << 6
      | step(0.5 + 0.5 * redGreen.mean, 63) << 12 | step(luminance.scale, 31) << 18
      | (channels.hasAlpha ? 1 << 23 : 0)
    let tail =
      (isLandscape ? down : across) | step(yellowBlue.scale, 63) << 3
      | step(redGreen.scale, 63) << 9 | (isLandscape ? 1 << 15 : 0)
    var bytes = [head, head >> 8, head >> 16, tail, tail >> 8].map(UInt8.init(truncatingIfNeeded:))
    var nibbles = [luminance, yellowBlue, redGreen].flatMap(\.nibbles)
    if channels.hasAlpha {
      let alpha = spectrum(channels.alpha, 5, 5)
      bytes.append(UInt8(step(alpha.mean, 15) | step(alpha.scale, 15) << 4))
      nibbles += alpha.nibbles
    }
    for pair in stride(from: 0, to: nibbles.count, by: 2) {
      bytes.append(nibbles[pair] | (pair + 1 < nibbles.count ? nibbles[pair + 1] << 4 : 0))
    }
    return bytes
  }

  /// 0…1 in steps of 1 / `steps`.
  fileprivate static func step(_ value: Double, _ steps: Double) -> Int {
    Int((max(0, min(1, value)) * steps).rounded())
  }
}

/// The picture as ThumbHash's channels, laid on its average colour.
private struct Channels {
  var luminance: [Double] = []
  var yellowBlue: [Double] = []
  var redGreen: [Double] = []
  var alpha: [Double] = []
  let hasAlpha: Bool

  init(_ raster: PreviewRaster) {
    let samples = raster.samples
    let pixels = stride(from: 0, to: samples.count, by: 4)
    hasAlpha = pixels.contains { samples[$0 + 3] < 255 }
    var mean = (red: 0.0, green: 0.0, blue: 0.0, alpha: 0.0)
    for pixel in pixels {
      let opacity = Double(samples[pixel + 3]) / 255
      mean.red += opacity * Double(samples[pixel]) / 255
      mean.green += opacity * Double(samples[pixel + 1]) / 255
      mean.blue += opacity * Double(samples[pixel + 2]) / 255
      mean.alpha += opacity
    }
    let weight = max(mean.alpha, .leastNormalMagnitude)
    mean = (mean.red / weight, mean.green / weight, mean.blue / weight, mean.alpha)
    for pixel in pixels {
      let opacity = Double(samples[pixel + 3]) / 255
      let red = mean.red * (1 - opacity) + opacity * Double(samples[pixel]) / 255
      let green = mean.green * (1 - opacity) + opacity * Double(samples[pixel + 1]) / 255
      let blue = mean.blue * (1 - opacity) + opacity * Double(samples[pixel + 2]) / 255
      luminance.append((red + green + blue) / 3)
      yellowBlue.append((red + green) / 2 - blue)
      redGreen.append(red - green)
      alpha.append(opacity)
    }
  }
}

/// The lowest frequencies of one channel: the triangle below the diagonal of `across` × `down`.
private struct Spectrum {
  private(set) var mean = 0.0
  /// The largest magnitude but the mean's.
  private(set) var scale = 0.0
  private var coefficients: [Double] = []

  init(_ channel: [Double], width: Int, height: Int, across: Int, down: Int) {
    let columns = Self.cosines(across, over: width)
    let rows = Self.cosines(down, over: height)
    for vertical in 0..<down {
      for horizontal in 0..<across where horizontal * down < across * (down - vertical) {
        var sum = 0.0
        for y in 0..<height {
          // In the order of the format's own encoder: sums that are nearly zero round alike.
          for x in 0..<width {
            sum += channel[y * width + x] * columns[horizontal][x] * rows[vertical][y]
          }
        }
        sum /= Double(width * height)
        if horizontal == 0, vertical == 0 {
          mean = sum
        } else {
          coefficients.append(sum)
          scale = max(scale, abs(sum))
        }
      }
    }
  }

  private static func cosines(_ frequencies: Int, over count: Int) -> [[Double]] {
    (0..<frequencies).map { frequency in
      (0..<count).map { cos(.pi / Double(count) * Double(frequency) * (Double($0) + 0.5)) }
    }
  }

  var nibbles: [UInt8] {
    coefficients.map { value in
      UInt8(ThumbHash.step(scale > 0 ? 0.5 + 0.5 / scale * value : 0, 15))
    }
  }
}
