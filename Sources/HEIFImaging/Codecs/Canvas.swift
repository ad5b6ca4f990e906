internal import Imaging
internal import Media

/// The planes of a grid, put together from its tiles.
@safe
struct Canvas: ~Copyable {
  private let memory: UnsafeMutableRawBufferPointer
  let picture: CodedPlanes

  /// Room for `columns` × `rows` pictures like `tile`, not yet filled.
  init(columns: Int, rows: Int, of tile: CodedPlanes) {
    let sizes = tile.planes.map {
      PixelSize(width: $0.size.width * columns, height: $0.size.height * rows)
    }
    let strides = zip(tile.planes, sizes).map { $0.sampleBytes * $1.width }
    let bytes = zip(strides, sizes).map { $0 * $1.height }
    unsafe memory = .allocate(byteCount: bytes.reduce(0, +), alignment: 64)
    var planes: [PlaneView] = []
    var offset = 0
    for index in tile.planes.indices {
      guard let start = unsafe memory.baseAddress?.advanced(by: offset) else { break }
      planes.append(
        unsafe PlaneView(
          size: sizes[index], bitDepth: tile.planes[index].bitDepth, start: start,
          stride: strides[index]))
      offset += bytes[index]
    }
    picture = CodedPlanes(planes: planes, coding: tile.coding)
  }

  /// Copies a decoded tile to its place.
  mutating func place(_ tile: CodedPlanes, column: Int, row: Int) throws(DecodeFailure) {
    guard tile.planes.count == picture.planes.count else {
      throw .corrupt("tiles of several kinds")
    }
    for (source, target) in zip(tile.planes, picture.planes) {
      guard source.bitDepth == target.bitDepth else { throw .corrupt("tiles of several depths") }
      let area = PixelArea(
        x: column * source.size.width, y: row * source.size.height, size: source.size)
      guard area.x + area.size.width <= target.size.width,
        area.y + area.size.height <= target.size.height
      else { throw .corrupt("tiles of several sizes") }
      copy(source, to: target.cropped(area))
    }
  }

  private func copy(_ source: PlaneView, to target: PlaneView) {
    for row in 0..<source.size.height {
      unsafe UnsafeMutableRawBufferPointer(mutating: target.row(row)).copyMemory(
        from: source.row(row))
    }
  }

  deinit {
    unsafe memory.deallocate()
  }
}
