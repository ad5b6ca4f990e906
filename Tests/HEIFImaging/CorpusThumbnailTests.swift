import Files
import Foundation
import Glibc
import HEIFImaging
import Imaging
import Media
import TestSupport
import Testing

/// The thumbnails that cameras and programs have put into files, compared with pictures: their own,
/// and others.
@Suite("Thumbnails of others", .timeLimit(.minutes(15))) struct CorpusThumbnailTests {
  /// Files with a thumbnail of which tools tell, by what it shows; equal letters show the same.
  private static let subjects = [
    "pillow/Tests/images/flower.webp": "flower", "pillow/Tests/images/flower.jpg": "flower",
    "pillow/Tests/images/flower2.webp": "flower", "pillow/Tests/images/flower2.jpg": "flower",
    "pillow/Tests/images/exif_gps_typeerror.jpg": "gps",
    "pillow/Tests/images/exif-200dpcm.jpg": "dpi",
    "pillow/Tests/images/photoshop-200dpi.jpg": "dpi", "pillow/Tests/images/iptc.jpg": "iptc",
    "pillow/Tests/images/xmp_test.jpg": "xmp", "pillow/Tests/images/ultrahdr.jpg": "ultrahdr",
    "pillow/Tests/images/sugarshack_bad_mpo_header.jpg": "sugarshack",
    "pillow_heif/tests/images/heif_special/xiaomi.heic": "xiaomi",
    "image-png/tests/bugfixes/issue_1825.png": "1825",
    "image-png/tests/bugfixes/issue_430.png": "430",
    "libavif/tests/data/seine_sdr_gainmap_srgb.jpg": "seine",
    "libavif/tests/data/seine_sdr_gainmap_srgb.avif": "seine",
    "made/dev/photo_12MP_s8.avif": "photo", "made/dev/photo_12MP_untiled.heic": "photo",
    "made/dev/photo_12MP_lossy.webp": "photo", "image-rs/examples/scaledown/test.jpg": "photo",
    "libultrahdr/tests/data/minnie-320x240-yuv-icc.jpg": "minnie",
    "pyheif/tests/images/iPhoneXR.heic": "iphone",
    "pillow_heif/tests/images/heif_other/arrow.heic": "arrow",
  ]

  private static let files = (Corpus.shared?.entries ?? []).filter { subject(of: $0) != nil }

  private static func subject(of entry: Corpus.Entry) -> String? {
    subjects.first { entry.path.hasSuffix("/\($0.key)") }?.value
  }

  /// Whose thumbnails are sharpened, or moved by a part of a pixel: not told to be the same.
  private static let blurred: Set<String> = ["flower", "minnie", "sugarshack", "iphone"]

  @Test("No file's own thumbnail is taken for another picture's, and nearly all for its own")
  func own() throws {
    var alike = 0
    for entry in Self.files {
      let file = try OpenPicture(entry.path)
      guard let thumbnail = try file.thumbnail(), let comparison = try? file.compared(thumbnail)
      else { continue }
      #expect(
        comparison.verdict != .different,
        "\(entry): \(comparison.furthest), \(comparison.usualDistance)")
      if comparison.verdict == .same { alike += 1 }
      if comparison.hasSeenEnough, !Self.blurred.contains(Self.subject(of: entry) ?? "") {
        #expect(
          comparison.verdict == .same,
          "\(entry): \(comparison.furthest), \(comparison.usualDistance)")
      }
    }
    if Corpus.shared != nil { #expect(alike >= 12) }
  }

  @Test("Every other picture's thumbnail is told to be one")
  func others() throws {
    for entry in Self.files {
      guard let thumbnail = try OpenPicture(entry.path).thumbnail() else { continue }
      for other in Self.files
      where Self.subject(of: entry) != Self.subject(of: other)
        && (TestScale.isNightly || (other.width ?? 0) * (other.height ?? 0) < 500_000)
      {
        guard let comparison = try? OpenPicture(other.path).compared(thumbnail),
          comparison.hasSeenEnough || comparison.furthest > 0
        else { continue }
        #expect(
          comparison.verdict == .different,
          "\(entry) in \(other): \(comparison.furthest), \(comparison.usualDistance)")
      }
    }
  }
}

/// A picture's file, opened for its decoder.
private struct OpenPicture: ~Copyable {
  struct Thumbnail {
    var picture = CoarsePicture()
    var orientation = Orientation.up
  }

  private let descriptor: Descriptor
  private let format: MediaFormat

  init(_ path: String) throws {
    let start = Array(try FileBytes.read(path).prefix(4096))
    let file = try Descriptor.open(path, flags: O_RDONLY)
    format = MediaFormat.sniff(start)
    descriptor = file
  }

  private var isHEIF: Bool { format == .heic || format == .avif }

  func thumbnail() throws -> Thumbnail? {
    var thumbnail = Thumbnail()
    if isHEIF {
      var decoder = HEIFDecoder(input: descriptor.number, source: .embeddedThumbnail)
      if let header = try? decoder.readHeader(DecodeLimits()) {
        thumbnail.orientation = header.rasterOrientation
        try decoder.decode(needed: nil, into: &thumbnail.picture)
        return thumbnail
      }
    }
    let embedded =
      isHEIF
      ? try HEIFDecoder.exifThumbnail(descriptor.number)
      : try Thumbnailer.exifThumbnail(format, input: descriptor.number)
    guard let embedded else { return nil }
    thumbnail.orientation = embedded.orientation
    var decoder = JPEGDecoder(input: descriptor.number, part: embedded.part)
    _ = try decoder.readHeader(DecodeLimits())
    try decoder.decode(needed: nil, into: &thumbnail.picture)
    return thumbnail
  }

  func compared(_ thumbnail: Thumbnail) throws -> PictureComparison {
    if isHEIF {
      var decoder = HEIFDecoder(input: descriptor.number)
      return try Self.compare(&decoder, thumbnail)
    }
    return try withPictureDecoder(for: format, input: descriptor.number, use: .coarsest) {
      (decoder) throws(DecodeFailure) in
      try Self.compare(&decoder, thumbnail)
    }
  }

  private static func compare<Decoder: PictureDecoder & ~Copyable>(
    _ decoder: inout Decoder, _ thumbnail: Thumbnail
  ) throws(DecodeFailure) -> PictureComparison {
    let header = try decoder.readHeader(DecodeLimits())
    var comparison = PictureComparison(
      with: thumbnail.picture, orientation: thumbnail.orientation,
      pictureOrientation: header.rasterOrientation)
    try decoder.show(to: &comparison)
    return comparison
  }
}
