/// What a person would call a media file.
package enum MediaKind: String, Sendable, Hashable, CaseIterable {
  case image
  case audio
  case video
}
