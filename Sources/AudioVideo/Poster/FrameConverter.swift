internal import CAV
internal import Imaging
internal import Media

/// Converts whole frames to gray or RGB of any size.
@safe struct FrameConverter: ~Copyable {
  enum Target {
    /// Full-range luma, averaged: to judge by.
    case gray
    case rgb8
    /// Native-endian, the transfer kept.
    case rgb16

    fileprivate var pixelFormat: AVPixelFormat {
      switch self {
      case .gray: AV_PIX_FMT_GRAY8
      case .rgb8: AV_PIX_FMT_RGB24
      case .rgb16: cav_rgb48
      }
    }

    fileprivate var bytesPerPixel: Int {
      switch self {
      case .gray: 1
      case .rgb8: 3
      case .rgb16: 6
      }
    }

    fileprivate var flags: Int32 {
      self == .gray
        ? SWS_AREA
        : SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
    }
  }

  private let context: OpaquePointer
  private let target: Target
  private let size: PixelSize

  private init(adopting context: OpaquePointer, target: Target, size: PixelSize) {
    unsafe self.context = context
    self.target = target
    self.size = size
  }

  deinit {
    unsafe sws_freeContext(context)
  }

  /// Fails for pixels that are not in memory. The corresponding C functions are `sws_getContext` and
  /// `sws_setColorspaceDetails`.
  static func make(
    for frame: borrowing FilmFrame, target: Target, size: PixelSize
  ) throws(DecodeFailure) -> FrameConverter {
    let format = unsafe AVPixelFormat(rawValue: frame.pointer.pointee.format)
    guard sws_isSupportedInput(format) != 0 else { throw .unsupported("the film's pixel format") }
    guard
      let context = unsafe sws_getContext(
        Int32(clamping: frame.size.width), Int32(clamping: frame.size.height), format,
        Int32(clamping: size.width), Int32(clamping: size.height), target.pixelFormat,
        target.flags, nil, nil, nil)
    else { throw .outOfMemory }
    let converter = unsafe FrameConverter(adopting: context, target: target, size: size)
    let coefficients = unsafe sws_getCoefficients(matrix(of: frame))
    let isFullRange = unsafe frame.pointer.pointee.color_range == AVCOL_RANGE_JPEG
    // Fails, and changes nothing, for what is RGB already.
    unsafe sws_setColorspaceDetails(
      context, coefficients, isFullRange ? 1 : 0, coefficients, 1, 0, 1 << 16, 1 << 16)
    return converter
  }

  /// The matrix coefficients, where unstated by the usual rule: BT.709 from 720 lines on.
  private static func matrix(of frame: borrowing FilmFrame) -> Int32 {
    let stated = unsafe Int32(frame.pointer.pointee.colorspace.rawValue)
    guard stated == AVCOL_SPC_UNSPECIFIED.rawValue else { return stated }
    return frame.size.height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601
  }

  /// The frame's bytes, row after row without gaps. The corresponding C function is `sws_scale`.
  func convert(_ frame: borrowing FilmFrame) throws(DecodeFailure) -> [UInt8] {
    let stride = size.width * target.bytesPerPixel
    // What vector code writes past a row's end.
    let (count, overflow) = stride.multipliedReportingOverflow(by: size.height)
    guard !overflow else { throw .outOfMemory }
    var bytes = [UInt8](repeating: 0, count: count + 64)
    let rows = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      unsafe scale(frame, into: buffer.baseAddress, stride: Int32(clamping: stride))
    }
    guard rows == size.height else { throw .corrupt("a frame could not be converted") }
    bytes.removeLast(64)
    return bytes
  }

  private func scale(
    _ frame: borrowing FilmFrame, into target: UnsafeMutablePointer<UInt8>?, stride: Int32
  ) -> Int {
    let source = unsafe frame.pointer
    let planes = unsafe source.pointee.data
    let strides = unsafe source.pointee.linesize
    let sourcePlanes: [UnsafePointer<UInt8>?] = unsafe [
      UnsafePointer(planes.0), UnsafePointer(planes.1), UnsafePointer(planes.2),
      UnsafePointer(planes.3),
    ]
    let sourceStrides = [strides.0, strides.1, strides.2, strides.3]
    let targetPlanes: [UnsafeMutablePointer<UInt8>?] = unsafe [target, nil, nil, nil]
    let targetStrides: [Int32] = [stride, 0, 0, 0]
    return unsafe Int(
      sws_scale(
        context, sourcePlanes, sourceStrides, 0, Int32(clamping: frame.size.height), targetPlanes,
        targetStrides))
  }
}
