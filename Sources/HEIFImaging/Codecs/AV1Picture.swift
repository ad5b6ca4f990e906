internal import CDAV1D
internal import Glibc
internal import Imaging
internal import Media

/// Decodes single AV1 pictures on the calling thread.
@safe
struct AV1Picture: ~Copyable {
  private var decoder: OpaquePointer?
  private var picture = unsafe Dav1dPicture()

  /// The corresponding C function is `dav1d_open`.
  private init(pixelLimit: Int) throws(DecodeFailure) {
    var settings = unsafe Dav1dSettings()
    unsafe dav1d_default_settings(&settings)
    unsafe settings.n_threads = 1
    unsafe settings.max_frame_delay = 1
    // Of a layered picture the best.
    unsafe settings.all_layers = 0
    unsafe settings.frame_size_limit = UInt32(clamping: pixelLimit)
    unsafe settings.logger.callback = nil
    var decoder: OpaquePointer?
    guard unsafe dav1d_open(&decoder, &settings) == 0 else { throw .outOfMemory }
    unsafe self.decoder = decoder
  }

  deinit {
    var (decoder, picture) = unsafe (decoder, picture)
    unsafe dav1d_picture_unref(&picture)
    unsafe dav1d_close(&decoder)
  }

  /// The first decoder of a process chooses dav1d's code for the processor.
  static func warmUp() {
    _ = try? AV1Picture(pixelLimit: 1)
  }

  /// Decodes one item and shows its planes to `body`.
  static func decode(
    _ data: [UInt8], pixelLimit: Int, _ body: (CodedPlanes) throws(DecodeFailure) -> Void
  ) throws(DecodeFailure) {
    var picture = try AV1Picture(pixelLimit: pixelLimit)
    try picture.decode(data, pixelLimit)
    try body(picture.planes())
  }

  /// The corresponding C functions are `dav1d_send_data` and `dav1d_get_picture`.
  private mutating func decode(
    _ bytes: [UInt8], _ pixelLimit: Int
  ) throws(DecodeFailure) {
    var data = unsafe Dav1dData()
    guard let target = unsafe dav1d_data_create(&data, bytes.count) else { throw .outOfMemory }
    defer { unsafe dav1d_data_unref(&data) }
    unsafe UnsafeMutableRawBufferPointer(start: target, count: bytes.count).copyBytes(from: bytes)
    repeat {
      var status = unsafe data.sz > 0 ? dav1d_send_data(decoder, &data) : 0
      if status == 0 || status == -EAGAIN {
        status = unsafe dav1d_get_picture(decoder, &picture)
      }
      if status == 0 { return }
      if status == -ERANGE {
        throw .tooManyPixels(declared: Self.declaredPixels(bytes), limit: pixelLimit)
      }
      guard status == -EAGAIN else { throw Self.failure(status) }
    } while unsafe data.sz > 0
    throw .corrupt("the AV1 data holds no picture")
  }

  /// The corresponding C function is `dav1d_parse_sequence_header`.
  private static func declaredPixels(_ bytes: [UInt8]) -> Int {
    var sequence = Dav1dSequenceHeader()
    _ = unsafe dav1d_parse_sequence_header(&sequence, bytes, bytes.count)
    return Int(sequence.max_width) * Int(sequence.max_height)
  }

  /// Valid as long as the picture.
  private borrowing func planes() throws(DecodeFailure) -> CodedPlanes {
    let starts = unsafe [picture.data.0, picture.data.1, picture.data.2]
    let strides = unsafe [picture.stride.0, picture.stride.1, picture.stride.1]
    let bitDepth = unsafe Int(picture.p.bpc)
    var planes: [PlaneView] = []
    for (index, size) in planeSizes.enumerated() {
      guard let start = unsafe starts[index] else {
        throw .corrupt("an AV1 picture without planes")
      }
      planes.append(
        unsafe PlaneView(size: size, bitDepth: bitDepth, start: start, stride: strides[index]))
    }
    guard let sequence = unsafe picture.seq_hdr else {
      throw .corrupt("an AV1 picture without a sequence")
    }
    return unsafe CodedPlanes(
      planes: planes,
      coding: ColourCoding(
        primaries: Int(sequence.pointee.pri.rawValue), transfer: Int(sequence.pointee.trc.rawValue),
        matrix: Int(sequence.pointee.mtrx.rawValue),
        isFullRange: sequence.pointee.color_range != 0))
  }

  private var planeSizes: [PixelSize] {
    let luma = unsafe PixelSize(width: Int(picture.p.w), height: Int(picture.p.h))
    let half = PixelSize(width: (luma.width + 1) / 2, height: (luma.height + 1) / 2)
    switch unsafe picture.p.layout {
    case DAV1D_PIXEL_LAYOUT_I400: return [luma]
    case DAV1D_PIXEL_LAYOUT_I420: return [luma, half, half]
    case DAV1D_PIXEL_LAYOUT_I422:
      let narrow = PixelSize(width: half.width, height: luma.height)
      return [luma, narrow, narrow]
    default: return [luma, luma, luma]
    }
  }

  private static func failure(_ code: Int32) -> DecodeFailure {
    switch -code {
    case ENOMEM: .outOfMemory
    case ENOPROTOOPT: .unsupported("dav1d: \(unsafe String(cString: strerror(-code)))")
    default: .corrupt("dav1d: \(unsafe String(cString: strerror(-code)))")
    }
  }
}
