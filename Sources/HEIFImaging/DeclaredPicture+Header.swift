internal import Imaging
internal import Media

extension DeclaredPicture {
  /// What the picture declares. Its turns and mirrors are part of the item and already carried out;
  /// an Exif orientation beside them says nothing more (ISO/IEC 23008-12, annex A).
  var header: PictureHeader {
    PictureHeader(
      facts: PictureFacts(
        format: source.codec == .hevc ? .heic : .avif, storedSize: geometry.size,
        hasAlpha: alpha != nil, bitDepth: source.configuration.bitDepth, colorSpace: colourSpace,
        codecs: [source.codec.rawValue]),
      iccProfile: iccProfile, codePoints: codePoints, rasterOrientation: geometry.orientation)
  }

  private var codePoints: ColourCodePoints? {
    coding.map { ColourCodePoints(primaries: $0.primaries, transfer: $0.transfer) }
  }

  private var colourSpace: String {
    if source.configuration.isMonochrome { return "gray" }
    if let iccProfile, let name = ProfileName.read(iccProfile) { return name }
    return codePoints?.colourSpaceName ?? "sRGB"
  }
}
