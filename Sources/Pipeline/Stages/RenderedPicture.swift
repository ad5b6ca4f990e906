package import Media
package import Sandbox
package import SharedCache

/// A picture in the sizes that a job wants.
package struct RenderedPicture: Sendable {
  /// Where a rendition's bytes are.
  package enum Content: Sendable {
    /// An object of the cache, to be linked.
    case object(ObjectName)
    /// A decoder's output, to be written: for what the cache may not or cannot keep.
    case output(ChildOutput, Range<Int>)
    /// A whole input, to be written.
    case input(LocalInput)
  }

  package struct Rendition: Sendable {
    package var profile: RenditionProfile
    package var format: MediaFormat
    package var size: PixelSize
    package var frames: Int
    package var byteCount: Int
    package var hash: ContentHash
    package var content: Content
    /// Of the attachment that it is part of.
    package var attachment = Manifest.Attachment.pictureIdentifier
  }

  package var facts: PictureFacts
  package var renditions: [Rendition]
  /// Notes and warnings; what failed is thrown.
  package var problems: [Problem]
  package var hints: PictureHints?
  package var extent = RenderReply.Extent.whole
}

/// Why a fetched picture gave no renditions.
package enum RenderFault: Error, Sendable {
  case problem(Problem)
  /// The index knew bytes that are no longer there: fetch them anew.
  case originalMissing
}
