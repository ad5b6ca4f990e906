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
}
