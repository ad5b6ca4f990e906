import Files
import Media
import Pipeline

/// What `render` did with one input.
struct RenderOutcome: Sendable {
  struct File: Sendable {
    let path: String
    let profile: String
    let rendition: RenderReply.Rendition
  }

  let input: String
  var files: [File] = []
  var problems: [Problem] = []
  /// Why the input could not be opened.
  var unreadable: InputFailure?
  /// Files that were there before, and were left alone: no problem of the picture.
  var existing: [String] = []
  /// Whether every asked picture was written.
  var isWhole = false
  /// Why no child could be used, where that is so.
  var unavailable: String?

  init(input: String) {
    self.input = input
  }

  /// The object that `render --json` prints.
  var json: JSONValue {
    [
      "path": .string(FileName.shown(input)),
      "files": .array(
        files.map { file in
          [
            "file": .string(FileName.shown(file.path)), "profile": .string(file.profile),
            "format": .string(file.rendition.format.rawValue),
            "typeIdentifier": JSONValue(file.rendition.format.typeIdentifier),
            "mimeType": .string(file.rendition.format.mimeType),
            "width": JSONValue(file.rendition.size.width),
            "height": JSONValue(file.rendition.size.height),
            "frames": JSONValue(file.rendition.frames),
            "bytes": JSONValue(file.rendition.bytes.count),
          ]
        }),
      "existing": JSONValue(existing.map { FileName.shown($0) }),
      "problems": .array([unreadable?.json].compactMap { $0 } + problems.map(\.json)),
    ]
  }
}
