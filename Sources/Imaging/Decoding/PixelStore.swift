internal import Glibc
internal import Media

/// Rows of samples in memory of their own, zero at first. Unlike an array's, its allocation may fail
/// without ending the process.
@safe struct PixelStore: ~Copyable {
  let rows: Int
  let bytesPerRow: Int
  private let base: UnsafeMutableRawPointer

  private init(rows: Int, bytesPerRow: Int, adopting base: UnsafeMutableRawPointer) {
    self.rows = rows
    self.bytesPerRow = bytesPerRow
    unsafe self.base = base
  }

  deinit {
    unsafe free(base)
  }

  /// Both counts positive. The corresponding C function is `calloc`, which checks the product and
  /// takes pages only once they are written.
  static func allocate(rows: Int, bytesPerRow: Int) throws(DecodeFailure) -> PixelStore {
    guard let base = unsafe calloc(rows, bytesPerRow) else { throw .outOfMemory }
    return unsafe PixelStore(rows: rows, bytesPerRow: bytesPerRow, adopting: base)
  }

  /// The bytes of one row, for a C library to fill.
  ///
  /// - Safety: valid while the store lives, for `bytesPerRow` bytes.
  @unsafe func row(_ index: Int) -> UnsafeMutablePointer<UInt8> {
    precondition(index >= 0 && index < rows)
    return unsafe (base + index * bytesPerRow).assumingMemoryBound(to: UInt8.self)
  }

  /// Hands a row of plane 0 on, as samples of `depth`.
  func deliver<Sink: RowSink & ~Copyable>(
    row index: Int, _ depth: RasterDescription.Depth, into sink: inout Sink
  ) throws(DecodeFailure) {
    let start = unsafe UnsafeRawPointer(row(index))
    switch depth {
    case .eight:
      let samples = unsafe start.assumingMemoryBound(to: UInt8.self)
      try sink.consume(unsafe Span(_unsafeStart: samples, count: bytesPerRow), plane: 0)
    case .sixteen:
      let samples = unsafe start.assumingMemoryBound(to: UInt16.self)
      try sink.consume(unsafe Span(_unsafeStart: samples, count: bytesPerRow / 2), plane: 0)
    }
  }
}
