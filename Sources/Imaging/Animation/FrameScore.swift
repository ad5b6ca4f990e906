internal import Media

/// How much there is to see on a canvas: contrast and detail of a coarse grid of its pixels, as far as
/// it is covered. Blank frames score 0, fading ones low.
struct FrameScore {
  private static let gridSide = 48

  /// 0…1.
  let value: Double

  init(_ player: borrowing any FramePlayer & ~Copyable) throws(DecodeFailure) {
    let size = player.size
    let columns = min(size.width, Self.gridSide)
    let rows = min(size.height, Self.gridSide)
    var lumas: [Int?] = []
    lumas.reserveCapacity(columns * rows)
    for row in 0..<rows {
      try player.withRow(row * size.height / rows) { pixels in
        for column in 0..<columns {
          lumas.append(Self.luma(pixels, at: column * size.width / columns * 4))
        }
      }
    }
    value = Self.score(lumas, columns: columns)
  }

  /// Nil where the canvas is rather transparent.
  private static func luma(_ pixels: Span<UInt8>, at offset: Int) -> Int? {
    guard pixels[offset + 3] >= 128 else { return nil }
    return (Int(pixels[offset]) * 54 + Int(pixels[offset + 1]) * 183 + Int(pixels[offset + 2]) * 19)
      >> 8
  }

  private static func score(_ lumas: [Int?], columns: Int) -> Double {
    let visible = lumas.compactMap(\.self)
    guard !visible.isEmpty else { return 0 }
    let mean = Double(visible.reduce(0, +)) / Double(visible.count)
    let variance =
      visible.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
      / Double(visible.count)
    var steps = 0
    for index in lumas.indices.dropFirst(columns) where index % columns > 0 {
      // An edge of what is covered shows as much as one within it.
      let (here, left, above) = (
        lumas[index] ?? 0, lumas[index - 1] ?? 0, lumas[index - columns] ?? 0
      )
      steps += abs(here - left) + abs(here - above)
    }
    let contrast = min(1, variance.squareRoot() / 64)
    let detail = min(1, Double(steps) / Double(lumas.count) / 32)
    let coverage = Double(visible.count) / Double(lumas.count)
    return (0.6 * contrast + 0.4 * detail) * (0.5 + 0.5 * coverage)
  }
}

extension FrameScore {
  /// The frame that tells most: the first, which its maker chose to come first, unless another shows
  /// far more; else the earliest of the best.
  static func mostTelling(_ scores: [Double]) -> Int {
    guard let first = scores.first, let best = scores.max(), first < best * 0.7 else { return 0 }
    return scores.firstIndex { $0 >= best * 0.95 } ?? 0
  }
}
