internal import CGIF
internal import Media

/// A GIF being written (GIF89a). The C library is giflib.
@safe struct GIFFile: ~Copyable {
  private let handle: UnsafeMutablePointer<GifFileType>

  /// The largest side that the format can tell.
  static let longestSide = 65_535
  /// The largest delay that the format can tell, in hundredths of a second.
  static let longestDelay = 65_535

  private init(adopting handle: UnsafeMutablePointer<GifFileType>) {
    unsafe self.handle = handle
  }

  deinit {
    _ = unsafe EGifCloseFile(handle, nil)
  }

  /// The sink must outlive the file. The corresponding C function is `EGifOpen`.
  static func open(_ sink: GIFSink) throws(DecodeFailure) -> GIFFile {
    let context = unsafe Unmanaged.passUnretained(sink).toOpaque()
    let handle = unsafe EGifOpen(
      context,
      { file, bytes, count in
        guard let file = unsafe file, let bytes = unsafe bytes,
          let context = unsafe file.pointee.UserData
        else { return 0 }
        let sink = unsafe Unmanaged<GIFSink>.fromOpaque(context).takeUnretainedValue()
        let hasRoom = unsafe sink.append(UnsafeBufferPointer(start: bytes, count: Int(count)))
        return hasRoom ? count : 0
      }, nil)
    guard let handle = unsafe handle else { throw .outOfMemory }
    return unsafe GIFFile(adopting: handle)
  }

  /// Writes the screen, and the palette of all frames that have none of their own. The corresponding
  /// C function is `EGifPutScreenDesc`.
  borrowing func begin(_ size: PixelSize, palette: [RGBColour]) throws(DecodeFailure) {
    guard max(size.width, size.height) <= Self.longestSide else {
      throw .unsupported("a GIF of \(size)")
    }
    unsafe EGifSetGifVersion(handle, true)
    unsafe try withColourMap(palette) { (map) throws(DecodeFailure) in
      try check(
        unsafe EGifPutScreenDesc(handle, Int32(size.width), Int32(size.height), 8, 0, map))
    }
  }

  /// Writes how often an animation is repeated after it was played once, 0 for ever; nothing else
  /// than NETSCAPE2.0 is understood everywhere.
  borrowing func writeLoop(repetitions: Int) throws(DecodeFailure) {
    let count = max(0, min(65_535, repetitions))
    try check(unsafe EGifPutExtensionLeader(handle, APPLICATION_EXT_FUNC_CODE))
    try check(unsafe EGifPutExtensionBlock(handle, 11, Array("NETSCAPE2.0".utf8)))
    let block = [1, UInt8(count & 255), UInt8(count >> 8)]
    try check(unsafe EGifPutExtensionBlock(handle, 3, block))
    try check(unsafe EGifPutExtensionTrailer(handle))
  }

  /// Writes what holds for the next frame: how long it is shown (hundredths of a second), and whether
  /// its part becomes transparent after it.
  borrowing func writeControl(
    hundredths: Int, transparentIndex: Int?, clears: Bool
  ) throws(DecodeFailure) {
    var control = GraphicsControlBlock(
      DisposalMode: clears ? DISPOSE_BACKGROUND : DISPOSE_DO_NOT, UserInputFlag: false,
      DelayTime: Int32(hundredths), TransparentColor: Int32(transparentIndex ?? -1))
    var block = [UInt8](repeating: 0, count: 4)
    let count = unsafe EGifGCBToExtension(&control, &block)
    try check(
      unsafe EGifPutExtension(handle, GRAPHICS_EXT_FUNC_CODE, Int32(count), block))
  }

  /// Writes a frame. The corresponding C functions are `EGifPutImageDesc` and `EGifPutLine`.
  borrowing func writeFrame(
    _ part: PixelRectangle, palette: [RGBColour]?, indices: [UInt8]
  ) throws(DecodeFailure) {
    if let palette {
      unsafe try withColourMap(palette) { (map) throws(DecodeFailure) in
        unsafe try writeDescriptor(part, map)
      }
    } else {
      unsafe try writeDescriptor(part, nil)
    }
    guard indices.count == part.area else { throw .corrupt("\(indices.count) indices") }
    var line = [UInt8](repeating: 0, count: part.width)
    for row in 0..<part.height {
      for x in 0..<part.width { line[x] = indices[row * part.width + x] }
      try check(unsafe EGifPutLine(handle, &line, Int32(part.width)))
    }
  }

  private borrowing func writeDescriptor(
    _ part: PixelRectangle, _ map: UnsafeMutablePointer<ColorMapObject>?
  ) throws(DecodeFailure) {
    try check(
      unsafe EGifPutImageDesc(
        handle, Int32(part.left), Int32(part.top), Int32(part.width), Int32(part.height), false,
        map))
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

  /// Lends a palette as the library wants it: filled up with black to a power of two.
  private borrowing func withColourMap(
    _ palette: [RGBColour],
    _ body: (UnsafeMutablePointer<ColorMapObject>) throws(DecodeFailure) -> Void
  ) throws(DecodeFailure) {
    var size = 2
    while size < palette.count { size *= 2 }
    let black = RGBColour(red: 0, green: 0, blue: 0)
    let padding = [RGBColour](repeating: black, count: size - palette.count)
    let colours = (palette + padding).map {
      GifColorType(Red: $0.red, Green: $0.green, Blue: $0.blue)
    }
    guard let map = unsafe GifMakeMapObject(Int32(size), colours) else { throw .outOfMemory }
    defer { unsafe GifFreeMapObject(map) }
    unsafe try body(map)
  }
}
