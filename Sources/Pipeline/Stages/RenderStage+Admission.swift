internal import Media
internal import Sandbox

extension RenderStage {
  /// What a download for these pictures has to do with the decoders' schedule.
  func admission(
    _ profiles: [RenditionProfile], by deadline: Deadline, in race: RaceOutcome
  ) -> DecodeAdmission {
    DecodeAdmission(
      children: children, request: recipe.request(for: profiles), deadline: deadline, race: race)
  }
}
