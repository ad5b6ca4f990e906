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

extension ColourCodePoints {
  /// The usual name of primaries and transfer (ITU-T H.273, tables 2 and 3); nil for sRGB's and for
  /// what has no name.
  fileprivate var colourSpaceName: String? {
    switch (primaries, transfer) {
    case (9, 16): "BT.2100 PQ"
    case (9, 18): "BT.2100 HLG"
    case (9, _): "BT.2020"
    case (12, 16): "Display P3 PQ"
    case (12, 18): "Display P3 HLG"
    case (12, _): "Display P3"
    case (_, 16): "PQ"
    case (_, 18): "HLG"
    default: nil
    }
  }
}
