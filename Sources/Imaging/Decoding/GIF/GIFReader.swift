internal import CGIF
internal import Media

/// A giflib session: records of a GIF file one after the other. Nothing is kept of a frame that is
/// stepped over.
@safe struct GIFReader: ~Copyable {
  /// What stands next in the file.
  enum Record {
    case frame(GIFFrame)
    /// The loop count of a NETSCAPE2.0 block, 0 for ever.
    case loops(Int)
    case end
  }

  private let input: GIFInput
  private let file: UnsafeMutablePointer<GifFileType>?
  private let openFailure: Int32
  private var control = GIFFrame.Control()

  /// The corresponding C function is `DGifOpen`; a failure shows in the first call that throws.
  init(_ number: Int32) {
    let input = GIFInput(number)
    var failure: Int32 = 0
    unsafe file = DGifOpen(
      Unmanaged.passUnretained(input).toOpaque(),
      { file, target, count in
        guard let file = unsafe file, let owner = unsafe file.pointee.UserData,
          let target = unsafe target
        else { return 0 }
        let input = unsafe Unmanaged<GIFInput>.fromOpaque(owner).takeUnretainedValue()
        return unsafe Int32(input.read(into: target, count: Int(count)))
      }, &failure)
    self.input = input
    openFailure = failure
  }

  deinit {
    if let file = unsafe file { unsafe _ = DGifCloseFile(file, nil) }
  }

  /// The size of the logical screen; either side may be 0.
  func screen() throws(DecodeFailure) -> PixelSize {
    let file = try unsafe open()
    return unsafe PixelSize(width: Int(file.pointee.SWidth), height: Int(file.pointee.SHeight))
  }

  /// Goes on to the next frame or fact; extensions without either are stepped over. The pixels of a
  /// frame are next: read them, or step over them. A file without a trailer ends after its last record.
  mutating func next() throws(DecodeFailure) -> Record {
    let file = try unsafe open()
    while true {
      if input.isAtEnd { return .end }
      var kind = UNDEFINED_RECORD_TYPE
      try check(unsafe DGifGetRecordType(file, &kind))
      switch kind {
      case IMAGE_DESC_RECORD_TYPE: return .frame(try frame())
      case EXTENSION_RECORD_TYPE: if let loops = try readExtension() { return .loops(loops) }
      case TERMINATE_RECORD_TYPE: return .end
      default: break
      }
    }
  }

  /// Whether more was asked for than the file holds.
  var hasEnded: Bool { input.hasEnded }

  /// Steps over the pixels of the frame that came last.
  func skipPixels() throws(DecodeFailure) {
    let file = try unsafe open()
    var codeSize: Int32 = 0
    var block: UnsafeMutablePointer<UInt8>?
    try check(unsafe DGifGetCode(file, &codeSize, &block))
    while unsafe block != nil { try check(unsafe DGifGetCodeNext(file, &block)) }
  }

  /// The next line of colour indices of the frame that came last, in file order. After the frame's
  /// last pixel the library goes on to the end of its data; what is wrong there is no loss.
  func readLine(into line: inout [UInt8], isLast: Bool) throws(DecodeFailure) {
    let file = try unsafe open()
    let sure = isLast ? line.count - 1 : line.count
    let status = unsafe line.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return GIF_OK }
      var status = GIF_OK
      if sure > 0 { status = unsafe DGifGetLine(file, start, Int32(sure)) }
      if isLast, status == GIF_OK { _ = unsafe DGifGetLine(file, start + sure, 1) }
      return status
    }
    try check(status)
  }
}

extension GIFReader {
  private func open() throws(DecodeFailure) -> UnsafeMutablePointer<GifFileType> {
    guard let file = unsafe file else { throw failure(openFailure) }
    return unsafe file
  }

  private func check(_ status: Int32) throws(DecodeFailure) {
    if status == GIF_OK { return }
    throw failure(unsafe try open().pointee.Error)
  }

  private func failure(_ code: Int32) -> DecodeFailure {
    if let number = input.failure { return .inputOutput("pread: errno \(number)") }
    let message = unsafe GifErrorString(code).map { unsafe String(cString: $0) } ?? "code \(code)"
    switch code {
    case D_GIF_ERR_EOF_TOO_SOON: return .truncated(message)
    case D_GIF_ERR_NO_SCRN_DSCR where input.hasEnded: return .truncated("the header is cut")
    // The library says so of an LZW code size beyond 8, too.
    case D_GIF_ERR_READ_FAILED:
      return input.hasEnded ? .truncated(message) : .corrupt("an LZW code size beyond 8")
    case D_GIF_ERR_NOT_ENOUGH_MEM: return .outOfMemory
    default: return .corrupt(message)
    }
  }

  /// The corresponding C function is `DGifGetImageHeader`, which unlike `DGifGetImageDesc` keeps no
  /// list of all frames.
  private mutating func frame() throws(DecodeFailure) -> GIFFrame {
    let file = try unsafe open()
    try check(unsafe DGifGetImageHeader(file))
    let image = unsafe file.pointee.Image
    let colours = unsafe GIFPalette(image.ColorMap ?? file.pointee.SColorMap)
    defer { control = GIFFrame.Control() }
    return unsafe GIFFrame(
      left: Int(image.Left), top: Int(image.Top),
      size: PixelSize(width: Int(image.Width), height: Int(image.Height)),
      isInterlaced: image.Interlace, palette: colours, control: control)
  }

  private mutating func readExtension() throws(DecodeFailure) -> Int? {
    let file = try unsafe open()
    var code: Int32 = 0
    var block: UnsafeMutablePointer<UInt8>?
    try check(unsafe DGifGetExtension(file, &code, &block))
    var blocks: [[UInt8]] = []
    while let start = unsafe block {
      // The first byte is the length.
      if blocks.count < 2 {
        blocks.append(unsafe Array(UnsafeBufferPointer(start: start + 1, count: Int(start[0]))))
      }
      try check(unsafe DGifGetExtensionNext(file, &block))
    }
    if code == GRAPHICS_EXT_FUNC_CODE { takeControl(blocks) }
    return code == APPLICATION_EXT_FUNC_CODE ? loops(blocks) : nil
  }

  private mutating func takeControl(_ blocks: [[UInt8]]) {
    guard let block = blocks.first, block.count == 4 else { return }
    control = GIFFrame.Control(
      delayHundredths: Int(block[1]) | Int(block[2]) << 8,
      transparentIndex: block[0] & 1 == 1 ? block[3] : nil,
      disposal: Self.disposal(block[0] >> 2 & 7))
  }

  /// 4 is an old misprint of 3, and played as that.
  private static func disposal(_ method: UInt8) -> FrameDisposal {
    switch method {
    case 2: .clear
    case 3, 4: .restore
    default: .keep
    }
  }

  private func loops(_ blocks: [[UInt8]]) -> Int? {
    guard blocks.count == 2, blocks[1].count >= 3, blocks[1][0] == 1,
      blocks[0].matches("NETSCAPE2.0") || blocks[0].matches("ANIMEXTS1.0")
    else { return nil }
    return Int(blocks[1][1]) | Int(blocks[1][2]) << 8
  }
}
