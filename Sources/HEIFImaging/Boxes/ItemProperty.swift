internal import Imaging
internal import Media

/// What an item's property says (ISO/IEC 23008-12, 6.5), as far as a still picture needs it.
enum ItemProperty {
  /// `ispe`: the size before every transformation.
  case size(PixelSize)
  /// `irot`: quarter turns, anti-clockwise.
  case rotation(Int)
  /// `imir`: 0 swaps top and bottom, 1 left and right.
  case mirror(axis: Int)
  case cleanAperture(CleanAperture)
  /// `colr` with `prof` or `rICC`.
  case iccProfile([UInt8])
  /// `colr` with `nclx`.
  case coding(ColourCoding)
  /// `hvcC` or `av1C`.
  case configuration(CodecConfiguration)
  /// `auxC`: the URN that names the kind of auxiliary picture.
  case auxiliaryType(String)
  case other(FourCharacterCode)
}

extension ItemProperty {
  init(_ box: BoxContent) throws(DecodeFailure) {
    var box = box
    switch box.type {
    case "ispe": self = .size(try Self.size(&box))
    case "irot": self = .rotation(try box.number(bytes: 1) & 3)
    case "imir": self = .mirror(axis: try box.number(bytes: 1) & 1)
    case "clap": self = .cleanAperture(try CleanAperture(&box))
    case "colr": self = try Self.colour(&box)
    case "hvcC": self = .configuration(try CodecConfiguration(hevc: &box))
    case "av1C": self = .configuration(try CodecConfiguration(av1: &box))
    case "auxC":
      _ = try box.versionAndFlags()
      self = .auxiliaryType(box.text())
    default: self = .other(box.type)
    }
  }

  private static func size(_ box: inout BoxContent) throws(DecodeFailure) -> PixelSize {
    _ = try box.versionAndFlags()
    let size = PixelSize(width: try box.number(bytes: 4), height: try box.number(bytes: 4))
    guard size.width > 0, size.height > 0 else { throw .corrupt("a picture of \(size)") }
    return size
  }

  private static func colour(_ box: inout BoxContent) throws(DecodeFailure) -> ItemProperty {
    switch try box.code() {
    case "prof", "rICC": .iccProfile(box.rest())
    case "nclx":
      .coding(
        ColourCoding(
          primaries: try box.number(bytes: 2), transfer: try box.number(bytes: 2),
          matrix: try box.number(bytes: 2), isFullRange: try box.number(bytes: 1) & 0x80 != 0))
    default: .other(box.type)
    }
  }
}
