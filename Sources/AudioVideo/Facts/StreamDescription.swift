internal import CAV
internal import Imaging
internal import Media

/// One stream of a file as its container declares it.
struct StreamDescription {
  enum Kind {
    case audio, video
    /// An embedded picture.
    case cover
    /// Subtitles, data, attachments.
    case other
  }

  let index: Int
  /// The container's own number: in a transport stream, of its packets.
  let number: Int
  let kind: Kind
  /// libavcodec's name, lower case.
  let codec: String
  /// Of frames as decoded, of pixels that may not be square; nil where unknown.
  let frameSize: PixelSize?
  /// Width by height of a pixel.
  let pixelAspect: Double
  let orientation: Orientation
  let bitDepth: Int
  /// Whether nobody can tell what a transport stream calls private, or has of a type that discs and
  /// broadcasters give to sound: it may be that.
  let isUntold: Bool
  /// Whether channels and a sampling rate are known.
  let hasSound: Bool
  let codePoints: ColourCodePoints

  /// What stands for the codec of a stream that may be sound.
  static let untoldCodec = "unknown"

  /// The corresponding C structure is `AVStream`, with its `AVCodecParameters`.
  @unsafe init?(_ stream: UnsafeMutablePointer<AVStream>, index: Int) {
    guard let parameters = unsafe stream.pointee.codecpar else { return nil }
    self.index = index
    number = unsafe Int(stream.pointee.id)
    kind = unsafe Self.kind(parameters.pointee.codec_type, stream.pointee.disposition)
    codec = unsafe String(cString: avcodec_get_name(parameters.pointee.codec_id))
    isUntold = unsafe Self.isUntold(
      parameters.pointee.codec_type, parameters.pointee.codec_id,
      tag: parameters.pointee.codec_tag)
    let size = unsafe PixelSize(
      width: Int(parameters.pointee.width), height: Int(parameters.pointee.height))
    frameSize = size.width > 0 && size.height > 0 ? size : nil
    pixelAspect = unsafe Self.aspect(
      stream.pointee.sample_aspect_ratio, parameters.pointee.sample_aspect_ratio)
    orientation = unsafe Orientation(displayMatrixOf: stream)
    bitDepth = unsafe Self.bitDepth(AVPixelFormat(rawValue: parameters.pointee.format))
    hasSound =
      unsafe parameters.pointee.ch_layout.nb_channels > 0
      && parameters.pointee.sample_rate > 0
    codePoints = unsafe ColourCodePoints(
      primaries: Int(parameters.pointee.color_primaries.rawValue),
      transfer: Int(parameters.pointee.color_trc.rawValue))
  }

  private static func kind(_ type: AVMediaType, _ disposition: Int32) -> Kind {
    switch type {
    case AVMEDIA_TYPE_AUDIO: .audio
    case AVMEDIA_TYPE_VIDEO: disposition & AV_DISPOSITION_ATTACHED_PIC == 0 ? .video : .cover
    default: .other
    }
  }

  /// By the type in the program's map (ISO/IEC 13818-1 table 2-34; ATSC A/52; BD-ROM part 3), which
  /// libavformat gives as tag: private data, or sound of discs and broadcasters (0x86 are cues).
  private static func isUntold(_ type: AVMediaType, _ codec: AVCodecID, tag: UInt32) -> Bool {
    (type == AVMEDIA_TYPE_DATA || type == AVMEDIA_TYPE_UNKNOWN)
      && (codec == AV_CODEC_ID_NONE || codec == AV_CODEC_ID_BIN_DATA)
      && [0x06, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x87].contains(tag)
  }

  /// The container's word comes before the bitstream's; 1 where none makes sense.
  private static func aspect(_ ratios: AVRational...) -> Double {
    let usable = ratios.first { $0.num > 0 && $0.den > 0 }
    let aspect = usable.map { Double($0.num) / Double($0.den) } ?? 1
    return (0.1...10).contains(aspect) ? aspect : 1
  }

  private static func bitDepth(_ format: AVPixelFormat) -> Int {
    guard let description = unsafe av_pix_fmt_desc_get(format) else { return 8 }
    return unsafe max(1, Int(description.pointee.comp.0.depth))
  }

  /// Of frames made of square pixels, not yet turned.
  var storedSize: PixelSize? {
    frameSize.map { size in
      PixelSize(
        width: max(1, Int((Double(size.width) * pixelAspect).rounded())), height: size.height)
    }
  }

  /// Whether light is coded by PQ or HLG (ITU-T H.273: 16, 18).
  var isHighDynamicRange: Bool { [16, 18].contains(codePoints.transfer) }

  /// `sRGB` for what displays show like it.
  var colorSpace: String {
    switch (codePoints.primaries, codePoints.transfer) {
    case (9, 16): "BT.2100 PQ"
    case (9, 18): "BT.2100 HLG"
    case (_, 16): "PQ"
    case (_, 18): "HLG"
    case (9, _): "BT.2020"
    case (12, _): "Display P3"
    default: "sRGB"
    }
  }
}
