internal import CHEIF
internal import Imaging

/// An image item as libheif sees it.
@safe
struct ImageHandle: ~Copyable {
  private let handle: OpaquePointer

  fileprivate init(adopting handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  deinit {
    unsafe heif_image_handle_release(handle)
  }

  /// The corresponding C function is `heif_image_handle_is_premultiplied_alpha`.
  var isPremultiplied: Bool {
    unsafe heif_image_handle_is_premultiplied_alpha(handle) != 0
  }

  /// The picture as planes of RGB or gray, its geometric transformations carried out once. The
  /// corresponding C function is `heif_decode_image`.
  borrowing func decode() throws(DecodeFailure) -> DecodedImage {
    var image: OpaquePointer?
    try unsafe checked(
      heif_decode_image(
        handle, &image, heif_colorspace_undefined, heif_chroma_undefined, nil))
    guard let image = unsafe image else { throw .corrupt("libheif: no picture") }
    return unsafe DecodedImage(adopting: image)
  }

  /// The thumbnail that belongs to this picture. The corresponding C function is
  /// `heif_image_handle_get_thumbnail`.
  borrowing func thumbnail(_ item: Int) throws(DecodeFailure) -> ImageHandle {
    var thumbnail: OpaquePointer?
    try unsafe checked(
      heif_image_handle_get_thumbnail(handle, heif_item_id(item), &thumbnail))
    guard let thumbnail = unsafe thumbnail else { throw .corrupt("libheif: no thumbnail") }
    return unsafe ImageHandle(adopting: thumbnail)
  }
}

/// A file opened by libheif.
@safe
struct LibraryContext: ~Copyable {
  private let context: OpaquePointer
  private let reader: LibraryReader

  /// The corresponding C function is `heif_context_alloc`.
  init(_ file: InputFile) throws(DecodeFailure) {
    guard let context = unsafe heif_context_alloc() else { throw .outOfMemory }
    unsafe self.context = context
    reader = LibraryReader(file)
    // No thread of libheif's own: tiles are decoded one after the other.
    unsafe heif_context_set_max_decoding_threads(context, 0)
  }

  deinit {
    unsafe heif_context_free(context)
  }

  /// The primary picture's handle. The corresponding C functions are
  /// `heif_context_read_from_reader` and `heif_context_get_primary_image_handle`.
  borrowing func primaryImage() throws(DecodeFailure) -> ImageHandle {
    try unsafe checked(reader.open(context))
    var handle: OpaquePointer?
    try unsafe checked(heif_context_get_primary_image_handle(context, &handle))
    guard let handle = unsafe handle else { throw .corrupt("libheif: no primary picture") }
    return unsafe ImageHandle(adopting: handle)
  }
}
