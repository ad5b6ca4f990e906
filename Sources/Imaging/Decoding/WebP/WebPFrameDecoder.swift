internal import CWebP
internal import Media

/// libwebp's incremental decoder on one bitstream that is all there, as far as it goes: of a file
/// that ends early it gives the rows that came.
@safe struct WebPFrameDecoder: ~Copyable {
  /// Where rows go: planes of the library's own, or interleaved pixels in memory that we give.
  enum Output {
    case planes
    case pixels
    case pixelsWithAlpha
  }

  /// The library keeps its address.
  private let buffer: UnsafeMutablePointer<WebPDecBuffer>
  private let decoder: OpaquePointer?

  /// A decoder with memory of the library's own, which is made once the bitstream's header is known.
  init(_ output: Output) {
    unsafe self.init(output, external: nil)
  }

  /// A decoder that writes RGBA to `target`.
  ///
  /// - Safety: `target` must hold `bytes` bytes while this lives.
  @unsafe init(into target: UnsafeMutablePointer<UInt8>, bytes: Int, stride: Int) {
    let external = unsafe WebPRGBABuffer(rgba: target, stride: Int32(stride), size: bytes)
    unsafe self.init(.pixelsWithAlpha, external: external)
  }

  /// The corresponding C function is `WebPINewDecoder`.
  @unsafe private init(_ output: Output, external: WebPRGBABuffer?) {
    unsafe buffer = .allocate(capacity: 1)
    unsafe buffer.initialize(to: WebPDecBuffer())
    unsafe _ = WebPInitDecBuffer(buffer)
    switch output {
    case .planes: unsafe buffer.pointee.colorspace = MODE_YUV
    case .pixels: unsafe buffer.pointee.colorspace = MODE_RGB
    case .pixelsWithAlpha: unsafe buffer.pointee.colorspace = MODE_RGBA
    }
    if let external = unsafe external {
      unsafe buffer.pointee.is_external_memory = 1
      unsafe buffer.pointee.u.RGBA = external
    }
    unsafe decoder = WebPINewDecoder(buffer)
  }

  deinit {
    unsafe WebPIDelete(decoder)
    unsafe WebPFreeDecBuffer(buffer)
    unsafe buffer.deallocate()
  }

  /// Decodes what there is; whether that is all. The corresponding C function is `WebPIUpdate`.
  func decode(_ bytes: UnsafePointer<UInt8>, count: Int) throws(DecodeFailure) -> Bool {
    guard let decoder = unsafe decoder else { throw .outOfMemory }
    let status = unsafe WebPIUpdate(decoder, bytes, count)
    switch status {
    case VP8_STATUS_OK: return true
    case VP8_STATUS_SUSPENDED, VP8_STATUS_NOT_ENOUGH_DATA: return false
    default: throw DecodeFailure(status)
    }
  }

  /// Rows of the picture that are there.
  var rows: Int {
    guard let decoder = unsafe decoder else { return 0 }
    var last: Int32 = 0
    if unsafe WebPIDecGetRGB(decoder, &last, nil, nil, nil) != nil { return Int(last) }
    last = 0
    unsafe _ = WebPIDecGetYUVA(decoder, &last, nil, nil, nil, nil, nil, nil, nil, nil)
    return Int(last)
  }

  /// A row of interleaved pixels; nil before there is any.
  ///
  /// - Safety: valid while this lives.
  @unsafe func pixels(row: Int) -> UnsafePointer<UInt8>? {
    guard let decoder = unsafe decoder else { return nil }
    var stride: Int32 = 0
    let start = unsafe WebPIDecGetRGB(decoder, nil, nil, nil, &stride)
    return unsafe start.map { unsafe UnsafePointer($0 + row * Int(stride)) }
  }

  /// A row of plane 0…2; nil before there is any.
  ///
  /// - Safety: valid while this lives.
  @unsafe func plane(_ plane: Int, row: Int) -> UnsafePointer<UInt8>? {
    guard let decoder = unsafe decoder else { return nil }
    var (u, v): (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?) = (nil, nil)
    var (stride, chromaStride): (Int32, Int32) = (0, 0)
    let y = unsafe WebPIDecGetYUVA(
      decoder, nil, &u, &v, nil, nil, nil, &stride, &chromaStride, nil)
    let start = unsafe [y, u, v][plane]
    let offset = row * Int(plane == 0 ? stride : chromaStride)
    return unsafe start.map { unsafe UnsafePointer($0 + offset) }
  }
}

extension DecodeFailure {
  /// What a libwebp call came to.
  init(_ status: VP8StatusCode) {
    switch status {
    case VP8_STATUS_OUT_OF_MEMORY: self = .outOfMemory
    case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED:
      self = .truncated("the WebP bitstream is not complete")
    case VP8_STATUS_UNSUPPORTED_FEATURE: self = .unsupported("a WebP feature of the future")
    default: self = .corrupt("the WebP bitstream is damaged")
    }
  }
}
