internal import Download
internal import Media

/// What a download has to do with the decoders' schedule: a picture that could not be decoded in time
/// is not fetched, since that would delay others, and one that has others before it not too soon.
package struct DecodeAdmission: Sendable {
  let children: PictureChildren
  let request: RenderRequest
  /// By when the decode must have ended.
  let deadline: Deadline
  /// Is told of the time for which a download is held back.
  let race: RaceOutcome

  /// What is to be decoded, by the first bytes of a file whose length may be declared; nil where they
  /// tell nothing of the cost.
  func subject(
    _ outline: PictureOutline, _ format: MediaFormat, declared: Int?
  ) -> DecodeSubject? {
    DecodeSubject(request, outline, format, declared: declared)
  }
}
