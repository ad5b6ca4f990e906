internal import CAV
internal import Imaging
internal import Media

/// One decoded frame, its planes held by libavutil.
@safe struct FilmFrame: ~Copyable {
  let pointer: UnsafeMutablePointer<AVFrame>

  private init(adopting pointer: UnsafeMutablePointer<AVFrame>) {
    unsafe self.pointer = pointer
  }

  /// An empty frame. The corresponding C function is `av_frame_alloc`.
  static func allocate() throws(DecodeFailure) -> FilmFrame {
    guard let pointer = unsafe av_frame_alloc() else { throw .outOfMemory }
    return unsafe FilmFrame(adopting: pointer)
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVFrame>? = unsafe pointer
    unsafe av_frame_free(&pointer)
  }

  /// When it is shown, in the stream's time base; nil where the container does not say.
  var time: Int64? {
    let time = unsafe pointer.pointee.best_effort_timestamp
    return time == cav_no_time ? nil : time
  }

  /// As decoded, its pixels perhaps not square.
  var size: PixelSize {
    unsafe PixelSize(width: Int(pointer.pointee.width), height: Int(pointer.pointee.height))
  }
}
