internal import CHEIF
internal import Media

/// A picture that libheif has decoded, transformed, and left in its coded colour form.
@safe
struct DecodedImage: ~Copyable {
  private let image: OpaquePointer

  /// - Safety: nobody else may release `image`.
  @unsafe
  init(adopting image: OpaquePointer) {
    unsafe self.image = image
  }

  deinit {
    unsafe heif_image_release(image)
  }

  /// One component of the picture.
  @safe
  struct Plane {
    let size: PixelSize
    /// Bits a sample that carry information: 8 are stored in a byte, more in two bytes, low first.
    let bitDepth: Int
    fileprivate let start: UnsafePointer<UInt8>
    fileprivate let stride: Int

    /// The samples of one row of an 8-bit plane.
    func row8(_ index: Int) -> UnsafeBufferPointer<UInt8> {
      unsafe UnsafeBufferPointer(start: start + index * stride, count: size.width)
    }

    /// The samples of one row of a deeper plane.
    func row16(_ index: Int) -> UnsafeBufferPointer<UInt16> {
      let row = unsafe UnsafeRawPointer(start + index * stride)
      return unsafe UnsafeBufferPointer(
        start: row.assumingMemoryBound(to: UInt16.self), count: size.width)
    }
  }

  /// The plane of a channel, nil where the picture has none. Valid as long as the image.
  borrowing func plane(_ channel: heif_channel) -> Plane? {
    guard unsafe heif_image_has_channel(image, channel) != 0 else { return nil }
    var stride: Int32 = 0
    let start = unsafe heif_image_get_plane_readonly(image, channel, &stride)
    let size = unsafe PixelSize(
      width: Int(heif_image_get_width(image, channel)),
      height: Int(heif_image_get_height(image, channel)))
    let bitDepth = unsafe Int(heif_image_get_bits_per_pixel_range(image, channel))
    guard let start = unsafe start, size.width > 0, size.height > 0, 8...16 ~= bitDepth else {
      return nil
    }
    guard Int(stride) >= size.width * (bitDepth > 8 ? 2 : 1) else { return nil }
    return unsafe Plane(size: size, bitDepth: bitDepth, start: start, stride: Int(stride))
  }

  var size: PixelSize? { (plane(heif_channel_Y) ?? plane(heif_channel_R))?.size }

  /// Whether black and white stand apart from the ends of the scale. The corresponding C function is
  /// `heif_image_get_nclx_color_profile`.
  var isLimitedRange: Bool {
    var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
    let error = unsafe heif_image_get_nclx_color_profile(image, &profile)
    guard unsafe error.code == heif_error_Ok, let profile = unsafe profile else { return false }
    defer { unsafe heif_nclx_color_profile_free(profile) }
    return unsafe profile.pointee.full_range_flag == 0
  }
}
