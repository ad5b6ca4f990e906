internal import Files
package import Media

/// What one media file is, and whether a notification may carry it (contract §5).
package struct ProbeReport: Sendable {
  package var path: String
  /// Nil when the input could not be opened.
  package var byteCount: Int?
  package var format: MediaFormat
  /// What the file declares; nil where no decoder could read it, or none knows the format.
  package var facts: PictureFacts?
  /// What sound or film declares.
  package var media: MediaFacts?
  package var attachable: Bool
  package var problems: [Problem]
  /// Why the input could not be opened: no problem of what it holds.
  package var unreadable: InputFailure?

  /// Whether the bytes were told to be a picture, sound or film.
  package var isMedia: Bool { format.kind != nil }

  /// As displayed; nil for sound.
  var displayedSize: PixelSize? { media == nil ? facts?.displayedSize : media?.displayedSize }

  var orientation: Orientation? {
    media == nil ? facts?.orientation : media?.displayedSize.flatMap { _ in media?.orientation }
  }

  package var codecs: [String] { media?.codecs ?? facts?.codecs ?? [] }

  /// Bytes of pixels that a player holds: every frame of an animation; nil for sound and film.
  package var decodedBytes: Int? {
    guard media == nil, let facts, let area = facts.displayedSize.area else { return nil }
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
    let size = displayedSize
    let picture = media == nil ? facts : nil
    return [
      "path": .string(FileName.shown(path)),
      "bytes": JSONValue(byteCount),
      "kind": JSONValue(format.kind?.rawValue),
      "format": .string(format.rawValue),
      "typeIdentifier": JSONValue(format.typeIdentifier),
      "mimeType": byteCount == nil ? .null : .string(format.mimeType),
      "width": JSONValue(size?.width),
      "height": JSONValue(size?.height),
      "orientation": JSONValue(orientation.map { Int($0.rawValue) }),
      "frames": JSONValue(picture?.frames),
      "durationSeconds": JSONValue(media?.durationSeconds ?? facts?.durationSeconds),
      "hasAlpha": picture.map { .bool($0.hasAlpha) } ?? .null,
      "bitDepth": JSONValue(media == nil ? facts?.bitDepth : media?.bitDepth),
      "colorSpace": JSONValue(media == nil ? facts?.colorSpace : media?.colorSpace),
      "codecs": JSONValue(codecs),
      "decodedBytes": JSONValue(decodedBytes),
      "extensionMatches": extensionMatches.map { .bool($0) } ?? .null,
      "attachable": .bool(attachable),
      "problems": .array([unreadable?.probeJSON].compactMap { $0 } + problems.map(\.probeJSON)),
    ]
  }

  /// Lines for a person: what it is, then what is wrong with it.
  package var text: String {
    var parts = [format.rawValue]
    if let media {
      parts += media.parts
    } else if let facts {
      parts.append("\(facts.displayedSize)")
      if facts.frames > 1 { parts.append("\(facts.frames) frames") }
      if facts.orientation != .up { parts.append("orientation \(facts.orientation.rawValue)") }
      if facts.hasAlpha { parts.append("alpha") }
      parts.append("\(facts.bitDepth)-bit \(facts.colorSpace)")
    }
    if let byteCount { parts.append(ByteCount.text(byteCount)) }
    parts.append(attachable ? "attachable" : "not attachable")
    let lines = problems.map { "  \($0.severity.rawValue) \($0.code.rawValue): \($0.message)" }
    return (["\(FileName.shown(path)): \(parts.joined(separator: ", "))"] + lines).joined(
      separator: "\n")
  }
}

extension MediaFacts {
  /// The facts that a line for a person names.
  fileprivate var parts: [String] {
    var parts = displayedSize.map { ["\($0)"] } ?? []
    if let durationSeconds {
      let tenths = Int((min(durationSeconds, 1e9) * 10).rounded())
      parts.append("\(tenths / 10).\(tenths % 10) s")
    }
    parts += codecs
    if orientation != .up { parts.append("orientation \(orientation.rawValue)") }
    if let bitDepth, let colorSpace { parts.append("\(bitDepth)-bit \(colorSpace)") }
    if hasCover { parts.append("cover") }
    return parts
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

extension InputFailure {
  /// A problem without a code: the contract's codes tell what bytes hold.
  package var json: JSONValue {
    [
      "severity": "error", "stage": "intake", "code": .null, "message": .string("\(self)"),
      "url": .null,
    ]
  }

  fileprivate var probeJSON: JSONValue {
    ["severity": "error", "stage": "intake", "code": .null, "message": .string("\(self)")]
  }
}
