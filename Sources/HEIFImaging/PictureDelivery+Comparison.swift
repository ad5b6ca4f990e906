internal import Imaging
internal import Media

extension PictureDelivery {
  /// Shows tiles of a grid, in an order in which they lie evenly at any time. A picture that is coded
  /// in one piece, or has alpha, is not shown.
  func show(to comparison: inout PictureComparison) throws(DecodeFailure) {
    let source = picture.source
    guard picture.alpha == nil, source.tiles.count > 1 else { return }
    let tiles = TileOrder.spread(columns: source.columns, rows: source.rows)
      .filter { shownArea(of: $0) != nil }
    var seen = 0
    var longest = Duration.zero
    for tile in tiles {
      if comparison.isOver(nextTaking: longest) { break }
      let start = ContinuousClock.now
      try reader.decode(source.tiles[tile], of: source) { planes throws(DecodeFailure) in
        try compare(planes, tile, with: &comparison)
      }
      longest = max(longest, start.duration(to: .now))
      seen += 1
    }
    comparison.hasSeenEnough = seen >= TileOrder.tellingCount(of: tiles.count)
  }

  /// The part of a tile that is shown, in whole samples of its colours; nil where there is none.
  private func shownArea(of tile: Int) -> PixelArea? {
    let (size, area) = (picture.source.tileSize, picture.geometry.area)
    let place = origin(of: tile)
    let left = (max(0, area.x - place.x) + 1) / 2 * 2
    let top = (max(0, area.y - place.y) + 1) / 2 * 2
    let right = min(size.width, area.x + area.size.width - place.x) / 2 * 2
    let bottom = min(size.height, area.y + area.size.height - place.y) / 2 * 2
    guard left < right, top < bottom else { return nil }
    return PixelArea(x: left, y: top, size: PixelSize(width: right - left, height: bottom - top))
  }

  private func origin(of tile: Int) -> (x: Int, y: Int) {
    let source = picture.source
    return (
      tile % source.columns * source.tileSize.width, tile / source.columns * source.tileSize.height
    )
  }

  private func compare(
    _ colours: CodedPlanes, _ tile: Int, with comparison: inout PictureComparison
  ) throws(DecodeFailure) {
    guard let area = shownArea(of: tile) else { return }
    let coding = picture.coding ?? colours.coding
    let conversion = try coding.conversion()
    let whole = picture.geometry.area
    let side = PictureComparison.partsPerSide
    let columns = max(1, (area.size.width * side + whole.size.width / 2) / whole.size.width)
    let rows = max(1, (area.size.height * side + whole.size.height / 2) / whole.size.height)
    let place = origin(of: tile)
    let part = UnitRectangle(
      x: Double(place.x + area.x - whole.x) / Double(whole.size.width),
      y: Double(place.y + area.y - whole.y) / Double(whole.size.height),
      width: Double(area.size.width) / Double(whole.size.width * columns),
      height: Double(area.size.height) / Double(whole.size.height * rows))
    var means = try means(of: colours.cropped(area), columns: columns, rows: rows)
    for row in 0..<rows {
      guard let band = means.takeBand() else { return }
      for (column, means) in band.enumerated() {
        let colour = coding.colour(means, conversion, bitDepths: colours.planes.map(\.bitDepth))
        var place = part
        place.x += Double(column) * part.width
        place.y += Double(row) * part.height
        comparison.compare(colour, at: place)
      }
    }
  }

  /// Of the samples as they are coded.
  private func means(
    of colours: CodedPlanes, columns: Int, rows: Int
  ) throws(DecodeFailure) -> PartMeans {
    let raster = RasterDescription(
      model: colours.planes.count == 1 ? .gray : .yCbCr, hasAlpha: false,
      depth: colours.planes[0].bitDepth > 8 ? .sixteen : .eight,
      planes: colours.planes.map { RasterDescription.Plane(size: $0.size, components: 1) })
    var means = try PartMeans(raster, columns: columns, rows: rows)
    for (index, plane) in colours.planes.enumerated() {
      for row in 0..<plane.size.height {
        if plane.bitDepth > 8 {
          means.add(unsafe Span(_unsafeElements: plane.row16(row)), plane: index)
        } else {
          means.add(unsafe Span(_unsafeElements: plane.row8(row)), plane: index)
        }
      }
    }
    return means
  }
}

extension CodedPlanes {
  /// The part of a picture, its corners between two colour samples.
  fileprivate func cropped(_ area: PixelArea) -> CodedPlanes {
    var cropped = self
    cropped.planes = planes.map { plane in
      let across = plane.size.width < size.width ? 2 : 1
      let down = plane.size.height < size.height ? 2 : 1
      return plane.cropped(
        PixelArea(
          x: area.x / across, y: area.y / down,
          size: PixelSize(width: area.size.width / across, height: area.size.height / down)))
    }
    return cropped
  }
}

extension ColourCoding {
  /// The colour that coded samples have in the mean; all conversions are affine.
  fileprivate func colour(
    _ means: PartMeans.Components, _ conversion: Conversion, bitDepths: [Int]
  ) -> PartColour {
    let values = bitDepths.indices.map { index in
      let range =
        index == 0 || conversion == .identity
        ? SampleRange.luma(bitDepth: bitDepths[index], isFullRange: isFullRange)
        : SampleRange.chroma(bitDepth: bitDepths[index], isFullRange: isFullRange)
      return (means[index] - Double(range.zero)) / Double(range.span) * 255
    }
    guard values.count == 3 else {
      return PartColour(luma: values[0], blue: 128, red: 128)
    }
    switch conversion {
    case .identity: return PartColour(red: values[2], green: values[0], blue: values[1])
    case .luma(let redShare, let blueShare):
      let (redShare, blueShare) = (Double(redShare), Double(blueShare))
      let red = values[0] + 2 * (1 - redShare) * values[2]
      let blue = values[0] + 2 * (1 - blueShare) * values[1]
      let green = (values[0] - redShare * red - blueShare * blue) / (1 - redShare - blueShare)
      return PartColour(red: red, green: green, blue: blue)
    case .greenOrange:
      let base = values[0] - values[1]
      return PartColour(
        red: base + values[2], green: values[0] + values[1], blue: base - values[2])
    }
  }
}
