internal import Imaging
internal import Media

/// Reads and decodes coded items of one file.
struct ItemReader {
  let boxes: FileBoxes
  let catalogue: ItemCatalogue
  let pixelLimit: Int

  /// Decodes one coded item and shows its planes to `body`.
  func decode(
    _ number: Int, of source: CodedSource, _ body: (CodedPlanes) throws(DecodeFailure) -> Void
  ) throws(DecodeFailure) {
    let item = try catalogue.item(number)
    guard let location = item.location else { throw .corrupt("item \(number) lies nowhere") }
    let data = try boxes.bytes(at: location, limit: boxes.file.size)
    let check = { (picture: CodedPlanes) throws(DecodeFailure) in
      guard picture.size == source.tileSize else {
        throw .corrupt("\(source.tileSize) is declared, \(picture.size) is coded")
      }
      try body(picture)
    }
    switch source.codec {
    case .hevc:
      try HEVCPicture.decode(data, item.configuration(), pixelLimit: pixelLimit, check)
    case .av1: try AV1Picture.decode(data, pixelLimit: pixelLimit, check)
    }
  }

  /// Decodes a whole picture and shows its planes to `body`.
  func decode(
    _ source: CodedSource, _ body: (CodedPlanes) throws(DecodeFailure) -> Void
  ) throws(DecodeFailure) {
    if source.tiles.count == 1 {
      do throws(DecodeFailure) {
        try decode(source.tiles[0], of: source, body)
      } catch .truncated(let message) {
        // libde265 and dav1d hold back a picture of which a part is missing.
        throw .truncated("\(message); a picture coded in one piece cannot be shown in part")
      }
    } else {
      let canvas = try canvas(source, rows: 0..<source.rows)
      try body(canvas.picture)
    }
  }

  /// How many rows of a grid's tiles lie in the file, before the first of which some does not.
  func wholeRows(of source: CodedSource) throws(DecodeFailure) -> Int {
    for (index, tile) in source.tiles.enumerated() {
      guard let location = try catalogue.item(tile).location, boxes.holds(location) else {
        return index / source.columns
      }
    }
    return source.rows
  }

  /// Decodes some rows of a grid's tiles.
  func canvas(_ source: CodedSource, rows: Range<Int>) throws(DecodeFailure) -> Canvas {
    var canvas: Canvas?
    for row in rows {
      for column in 0..<source.columns {
        let tile = source.tiles[row * source.columns + column]
        try decode(tile, of: source) { picture throws(DecodeFailure) in
          var filled =
            canvas.take() ?? Canvas(columns: source.columns, rows: rows.count, of: picture)
          try filled.place(picture, column: column, row: row - rows.lowerBound)
          canvas = consume filled
        }
      }
    }
    guard let canvas = canvas.take() else { throw .corrupt("a grid without tiles") }
    return canvas
  }
}
