internal import Media
internal import Sandbox

extension RenderStage {
  /// Judges the first bytes of a download: a picture that could not be decoded by the deadline, as
  /// things stand, is not fetched further, since that would delay others.
  func admission(
    _ profiles: [RenditionProfile], by deadline: Deadline
  ) -> @Sendable (_ prefix: [UInt8]) -> Problem? {
    let request = recipe.request(for: profiles)
    return { [children] prefix in
      DecodeSubject(request, head: prefix).flatMap { subject in
        children.foreseenRefusal(of: subject, by: deadline)?.problem
      }
    }
  }
}
