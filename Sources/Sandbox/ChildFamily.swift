/// The child executables: one for each set of C libraries that must not see the others.
package enum ChildFamily: String, Sendable, Hashable, CaseIterable {
  /// JPEG, PNG, GIF, WebP.
  case image
  /// HEIC and AVIF.
  case heif
  /// Sound and film.
  case av
  /// HTML, feeds, site maps.
  case page

  /// The file name of the executable.
  package var executableName: String {
    switch self {
    case .image: "wirephoto-image-decoder"
    case .heif: "wirephoto-heif-decoder"
    case .av: "wirephoto-av-decoder"
    case .page: "wirephoto-page-reader"
    }
  }
}
