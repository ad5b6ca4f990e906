internal import Imaging
internal import Media

extension ItemCatalogue {
  /// For each picture that is not opaque the item with its alpha plane.
  var alphaItems: [Int: Int] {
    var alphaItems: [Int: Int] = [:]
    for (number, item) in items where item.isAlpha {
      for picture in item.references["auxl"] ?? [] {
        alphaItems[picture] = min(number, alphaItems[picture] ?? number)
      }
    }
    return alphaItems
  }

  /// The embedded thumbnail of a picture.
  func thumbnail(of picture: Int) -> Int? {
    items.filter { $0.value.references["thmb"]?.contains(picture) == true }.keys.min()
  }

  /// The one item that an identity derivation stands for. Not a further derivation of that kind:
  /// those could form a ring.
  func identitySource(of item: Item) throws(DecodeFailure) -> Int {
    guard let sources = item.references["dimg"], sources.count == 1 else {
      throw .corrupt("an identity derivation of \(item.references["dimg"]?.count ?? 0) items")
    }
    guard try self.item(sources[0]).type != "iden" else {
      throw .unsupported("an identity derivation of another one")
    }
    return sources[0]
  }
}

extension ItemCatalogue.Item {
  private static let alphaTypes = [
    "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1",
    "urn:mpeg:avc:2015:auxid:1",
  ]

  fileprivate var isAlpha: Bool {
    properties.contains {
      if case .auxiliaryType(let type) = $0 { Self.alphaTypes.contains(type) } else { false }
    }
  }

  var declaredSize: PixelSize? {
    properties.lazy.compactMap { if case .size(let size) = $0 { size } else { nil } }.first
  }

  func size() throws(DecodeFailure) -> PixelSize {
    guard let declaredSize else { throw .corrupt("a picture item without its size") }
    return declaredSize
  }

  var iccProfile: [UInt8]? {
    properties.lazy.compactMap { if case .iccProfile(let bytes) = $0 { bytes } else { nil } }.first
  }

  var coding: ColourCoding? {
    properties.lazy.compactMap { if case .coding(let coding) = $0 { coding } else { nil } }.first
  }

  func configuration() throws(DecodeFailure) -> CodecConfiguration {
    for case .configuration(let configuration) in properties { return configuration }
    throw .corrupt("a coded item without its decoder configuration")
  }

  /// The coded format; refuses every other kind of item by its name.
  func codec() throws(DecodeFailure) -> Codec {
    switch type {
    case "hvc1", "hev1": return .hevc
    case "av01": return .av1
    case "iovl": throw .unsupported("a picture composed by overlay (iovl)")
    case "tmap": throw .unsupported("a tone-mapped derivation (tmap) as the primary picture")
    case "grid", "iden": throw .unsupported("a derivation of a derivation (\(type))")
    case "jpeg": throw .unsupported("a HEIF picture coded as JPEG")
    case "avc1": throw .unsupported("a HEIF picture coded as H.264")
    case "vvc1": throw .unsupported("a HEIF picture coded as H.266")
    case "j2k1": throw .unsupported("a HEIF picture coded as JPEG 2000")
    case "unci": throw .unsupported("a HEIF picture that is not compressed (unci)")
    default: throw .unsupported("a HEIF item of type \(type)")
    }
  }
}
