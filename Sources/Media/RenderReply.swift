/// What a picture child answers: facts, where the renditions lie in its output, problems.
package struct RenderReply: Sendable, Hashable {
  /// One encoded picture in the output descriptor.
  package struct Rendition: Sendable, Hashable {
    /// Index into the request's renditions.
    package var requestIndex: Int
    package var format: MediaFormat
    /// As displayed.
    package var size: PixelSize
    package var frames: Int
    /// Where the encoded bytes lie in the output.
    package var bytes: Range<Int>

    package init(
      requestIndex: Int, format: MediaFormat, size: PixelSize, frames: Int, bytes: Range<Int>
    ) {
      self.requestIndex = requestIndex
      self.format = format
      self.size = size
      self.frames = frames
      self.bytes = bytes
    }
  }

  /// A whole file of another kind in the output descriptor.
  package struct Part: Sendable, Hashable {
    package var format: MediaFormat
    /// Where its bytes lie in the output.
    package var bytes: Range<Int>

    package init(format: MediaFormat, bytes: Range<Int>) {
      self.format = format
      self.bytes = bytes
    }
  }

  /// How much of the picture the renditions show.
  package enum Extent: UInt8, Sendable, Hashable, CaseIterable, Comparable {
    /// All of it, as exact as the renditions can be.
    case whole
    /// All of it, but less exact than with more time: by what nobody sees.
    case hurried
    /// What has come of a picture whose data end early: rows, or all of it from coarser data.
    case partial
    /// The thumbnail that the file carries beside its picture.
    case embedded

    package static func < (left: Extent, right: Extent) -> Bool { left.rawValue < right.rawValue }
  }

  /// Nil when not even the header could be read, and for sound.
  package var facts: PictureFacts?
  /// Nil for pictures.
  package var media: MediaFacts?
  package var renditions: [Rendition]
  /// The picture embedded in sound or film, as it was found: a picture child's business.
  package var cover: Part?
  /// The sound or film in a container that notifications play, without tags; nil where there is none.
  package var attachment: Part?
  /// Whether the file itself is such a one.
  package var isInputPlayable = false
  /// An error among them means that no rendition was made, or not all.
  package var problems: [Problem]
  /// The share of rows that hold real data, 0…1: below 1 only for a partial picture.
  package var visibleFraction: Double
  /// Nil where no rendition was made.
  package var hints: PictureHints?
  package var extent: Extent

  package init(
    facts: PictureFacts? = nil, media: MediaFacts? = nil, renditions: [Rendition] = [],
    cover: Part? = nil, attachment: Part? = nil, problems: [Problem] = [],
    visibleFraction: Double = 1, hints: PictureHints? = nil, extent: Extent = .whole
  ) {
    self.facts = facts
    self.media = media
    self.renditions = renditions
    self.cover = cover
    self.attachment = attachment
    self.problems = problems
    self.visibleFraction = visibleFraction
    self.hints = hints
    self.extent = extent
  }
}

/// What a picture file declares about itself.
package struct PictureFacts: Sendable, Hashable {
  package var format: MediaFormat
  /// As stored, before `orientation` (HEIF: after irot and imir, which are part of the item).
  package var storedSize: PixelSize
  package var orientation: Orientation
  /// 1 for a still.
  package var frames: Int
  /// Length of one loop in seconds; nil for a still.
  package var durationSeconds: Double?
  package var hasAlpha: Bool
  /// Bits a component.
  package var bitDepth: Int
  /// `sRGB`, `gray`, `CMYK`, `YCCK`, or the name of the embedded profile.
  package var colorSpace: String
  /// The coded formats inside a container (`hevc`, `av1`), lower case.
  package var codecs: [String]

  package init(
    format: MediaFormat, storedSize: PixelSize, orientation: Orientation = .up, frames: Int = 1,
    durationSeconds: Double? = nil, hasAlpha: Bool = false, bitDepth: Int = 8,
    colorSpace: String = "sRGB", codecs: [String] = []
  ) {
    self.format = format
    self.storedSize = storedSize
    self.orientation = orientation
    self.frames = frames
    self.durationSeconds = durationSeconds
    self.hasAlpha = hasAlpha
    self.bitDepth = bitDepth
    self.colorSpace = colorSpace
    self.codecs = codecs
  }

  /// The size a person sees.
  package var displayedSize: PixelSize { orientation.displayed(storedSize) }
}
