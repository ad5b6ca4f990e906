package import Media

/// What one media file is, and whether a notification may carry it (contract §5).
package struct ProbeReport: Sendable {
  package var path: String
  /// Nil when the input could not be opened.
  package var byteCount: Int?
  package var format: MediaFormat
  /// What the file declares; nil where no decoder could read it, or none knows the format.
  package var facts: PictureFacts?
  package var attachable: Bool
  package var problems: [Problem]

  /// Whether the bytes were told to be a picture, sound or film.
  package var isMedia: Bool { format.kind != nil }

  /// Bytes of pixels that a player holds: every frame of an animation.
  package var decodedBytes: Int? {
    guard let facts, let area = facts.displayedSize.area else { return nil }
    let (pixels, first) = area.multipliedReportingOverflow(by: max(1, facts.frames))
    let (bytes, second) = pixels.multipliedReportingOverflow(by: 4)
    return first || second ? nil : bytes
  }

  /// Whether the name's extension is one of the format's; nil for standard input.
  package var extensionMatches: Bool? {
    guard path != "-" else { return nil }
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
    return format.fileExtensions.contains(name[name.index(after: dot)...].lowercased())
  }

  /// The object that `probe --json` prints; every key is present.
  package var json: JSONValue {
    let size = facts?.displayedSize
    return [
      "path": .string(path),
      "bytes": JSONValue(byteCount),
      "kind": JSONValue(format.kind?.rawValue),
      "format": .string(format.rawValue),
      "typeIdentifier": JSONValue(format.typeIdentifier),
      "mimeType": byteCount == nil ? .null : .string(format.mimeType),
      "width": JSONValue(size?.width),
      "height": JSONValue(size?.height),
      "orientation": JSONValue(facts.map { Int($0.orientation.rawValue) }),
      "frames": JSONValue(facts?.frames),
      "durationSeconds": JSONValue(facts?.durationSeconds),
      "hasAlpha": facts.map { .bool($0.hasAlpha) } ?? .null,
      "bitDepth": JSONValue(facts?.bitDepth),
      "colorSpace": JSONValue(facts?.colorSpace),
      "codecs": JSONValue(facts?.codecs ?? []),
      "decodedBytes": JSONValue(decodedBytes),
      "extensionMatches": extensionMatches.map { .bool($0) } ?? .null,
      "attachable": .bool(attachable),
      "problems": .array(problems.map(\.probeJSON)),
    ]
  }

  /// Lines for a person: what it is, then what is wrong with it.
  package var text: String {
    var parts = [format.rawValue]
    if let facts {
      parts.append("\(facts.displayedSize)")
      if facts.frames > 1 { parts.append("\(facts.frames) frames") }
      if facts.orientation != .up { parts.append("orientation \(facts.orientation.rawValue)") }
      if facts.hasAlpha { parts.append("alpha") }
      parts.append("\(facts.bitDepth)-bit \(facts.colorSpace)")
    }
    if let byteCount { parts.append(ByteCount.text(byteCount)) }
    parts.append(attachable ? "attachable" : "not attachable")
    let lines = problems.map { "  \($0.severity.rawValue) \($0.code.rawValue): \($0.message)" }
    return (["\(path): \(parts.joined(separator: ", "))"] + lines).joined(separator: "\n")
  }
}

extension Problem {
  fileprivate var probeJSON: JSONValue {
    [
      "severity": .string(severity.rawValue), "stage": .string(stage.rawValue),
      "code": .string(code.rawValue), "message": .string(message),
    ]
  }
}
