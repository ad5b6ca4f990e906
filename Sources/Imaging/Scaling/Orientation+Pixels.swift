package import Media

extension PixelPlane {
  /// The plane as displayed.
  package func oriented(_ orientation: Orientation) -> PixelPlane {
    guard orientation != .up else { return self }
    let displayed = orientation.displayed(size)
    // Where displayed pixel (0, 0) is stored, and how far the next column and row are.
    let (right, down) = (components, samplesPerRow)
    let startColumn = orientation.mirrorsColumns ? size.width - 1 : 0
    let startRow = orientation.mirrorsRows ? size.height - 1 : 0
    let start = startRow * down + startColumn * right
    let alongRow = orientation.mirrorsColumns ? -right : right
    let alongColumn = orientation.mirrorsRows ? -down : down
    let nextColumn = orientation.swapsAxes ? alongColumn : alongRow
    let nextRow = orientation.swapsAxes ? alongRow : alongColumn
    let count = samples.count
    let turned = unsafe [Sample](unsafeUninitializedCapacity: count) { output, filled in
      unsafe samples.withUnsafeBufferPointer { input in
        var target = 0
        for row in 0..<displayed.height {
          var source = start + row * nextRow
          for _ in 0..<displayed.width {
            for component in 0..<components {
              unsafe output[target + component] = input[source + component]
            }
            target += components
            source += nextColumn
          }
        }
      }
      filled = count
    }
    return PixelPlane(size: displayed, components: components, samples: turned)
  }
}

extension BoundedPicture {
  /// The picture as displayed.
  package func oriented(_ orientation: Orientation) -> BoundedPicture {
    BoundedPicture(
      model: model, hasAlpha: hasAlpha, planes: planes.map { $0.oriented(orientation) })
  }
}
