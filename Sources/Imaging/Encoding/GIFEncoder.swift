internal import CGIF
internal import Media

/// GIF without comments (giflib).
package enum GIFEncoder {
  /// Writes one frame; its palette is the file's.
  static func encode(_ picture: IndexedPicture) throws(DecodeFailure) -> EncodedPicture {
    guard picture.size.width <= 65_535, picture.size.height <= 65_535 else {
      throw .unsupported("a GIF of \(picture.size)")
    }
    let sink = ByteSink()
    defer { withExtendedLifetime(sink) {} }
    let file = try GIFFile.open(sink)
    try file.begin(picture)
    try file.writeFrame(picture)
    try file.close()
    return EncodedPicture(format: .gif, size: picture.size, bytes: sink.bytes)
  }
}

/// Where giflib's write callback puts its bytes: giflib keeps the address.
private final class ByteSink {
  var bytes: [UInt8] = []
}

/// A GIF being written.
@safe private struct GIFFile: ~Copyable {
  private let handle: UnsafeMutablePointer<GifFileType>

  private init(adopting handle: UnsafeMutablePointer<GifFileType>) {
    unsafe self.handle = handle
  }

  deinit {
    _ = unsafe EGifCloseFile(handle, nil)
  }

  /// The sink must outlive the file. The corresponding C function is `EGifOpen`.
  static func open(_ sink: ByteSink) throws(DecodeFailure) -> GIFFile {
    let context = unsafe Unmanaged.passUnretained(sink).toOpaque()
    let handle = unsafe EGifOpen(
      context,
      { file, bytes, count in
        guard let file = unsafe file, let bytes = unsafe bytes,
          let context = unsafe file.pointee.UserData
        else { return 0 }
        let sink = unsafe Unmanaged<ByteSink>.fromOpaque(context).takeUnretainedValue()
        unsafe sink.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
        return count
      }, nil)
    guard let handle = unsafe handle else { throw .outOfMemory }
    return unsafe GIFFile(adopting: handle)
  }

  /// The corresponding C function is `EGifPutScreenDesc`.
  borrowing func begin(_ picture: IndexedPicture) throws(DecodeFailure) {
    var size = 2
    while size < picture.palette.count { size *= 2 }
    let black = RGBColour(red: 0, green: 0, blue: 0)
    let padding = [RGBColour](repeating: black, count: size - picture.palette.count)
    let colours = (picture.palette + padding).map {
      GifColorType(Red: $0.red, Green: $0.green, Blue: $0.blue)
    }
    guard let map = unsafe GifMakeMapObject(Int32(size), colours) else { throw .outOfMemory }
    defer { unsafe GifFreeMapObject(map) }
    unsafe EGifSetGifVersion(handle, true)
    try check(
      unsafe EGifPutScreenDesc(
        handle, Int32(picture.size.width), Int32(picture.size.height), 8, 0, map))
  }

  /// The corresponding C functions are `EGifPutImageDesc` and `EGifPutLine`.
  borrowing func writeFrame(_ picture: IndexedPicture) throws(DecodeFailure) {
    if let index = picture.transparentIndex { try writeTransparency(index) }
    let (width, height) = (picture.size.width, picture.size.height)
    try check(
      unsafe EGifPutImageDesc(handle, 0, 0, Int32(width), Int32(height), false, nil))
    var indices = picture.indices
    for row in 0..<height {
      let status = unsafe indices.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return GIF_ERROR }
        return unsafe EGifPutLine(handle, base + row * width, Int32(width))
      }
      try check(status)
    }
  }

  private borrowing func writeTransparency(_ index: Int) throws(DecodeFailure) {
    var control = GraphicsControlBlock(
      DisposalMode: DISPOSAL_UNSPECIFIED, UserInputFlag: false, DelayTime: 0,
      TransparentColor: Int32(index))
    var block = [UInt8](repeating: 0, count: 4)
    let count = unsafe EGifGCBToExtension(&control, &block)
    try check(
      unsafe EGifPutExtension(handle, GRAPHICS_EXT_FUNC_CODE, Int32(count), block))
  }

  /// Writes the end. The corresponding C function is `EGifCloseFile`.
  consuming func close() throws(DecodeFailure) {
    var error: Int32 = 0
    let status = unsafe EGifCloseFile(handle, &error)
    discard self
    guard status == GIF_OK else { throw .corrupt("giflib: error \(error)") }
  }

  private borrowing func check(_ status: Int32) throws(DecodeFailure) {
    guard status == GIF_OK else {
      throw .corrupt("giflib: error \(unsafe handle.pointee.Error)")
    }
  }
}
