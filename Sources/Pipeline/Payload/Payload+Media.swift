internal import Media

extension Payload {
  /// What becomes of `media`: sound and film are not attached, and whoever sent them is told.
  var mediaProblems: [Problem] {
    guard !media.isEmpty else { return [] }
    var problems = [
      Problem(
        .intake, .unsupportedFormat,
        "media: sound and film are not attached (\(media.count) given)",
        severity: .warning)
    ]
    let count = media.count + (imageURL == nil && imageURLs.isEmpty ? 0 : 1)
    if count > AttachmentRules.maxAttachments {
      problems.append(
        Problem(
          .intake, .tooManyAttachments,
          "\(count) attachments, the limit is \(AttachmentRules.maxAttachments)",
          severity: .warning))
    }
    return problems
  }
}
