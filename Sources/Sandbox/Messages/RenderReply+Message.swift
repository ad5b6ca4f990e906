package import Media

extension RenderReply: Message {
  /// Grows whenever the form changes.
  private static let version: UInt8 = 5

  package func write(to message: inout MessageWriter) {
    message.append(Self.version)
    message.append(facts) { $1.write(to: &$0) }
    message.append(media) { $1.write(to: &$0) }
    message.append(renditions) { $1.write(to: &$0) }
    message.append(cover) { $1.write(to: &$0) }
    message.append(attachment) { $1.write(to: &$0) }
    message.append(problems) { $1.write(to: &$0) }
    message.append(visibleFraction)
    message.append(hints) { $1.write(to: &$0) }
    message.append(extent.rawValue)
    message.append(isInputPlayable)
  }

  package init(from message: inout MessageReader) throws(MessageFailure) {
    guard try message.read(UInt8.self) == Self.version else { throw .badValue("version") }
    self.init(
      facts: try message.readOptional { message throws(MessageFailure) in
        try PictureFacts(from: &message)
      },
      media: try message.readOptional { message throws(MessageFailure) in
        try MediaFacts(from: &message)
      },
      renditions: try message.readArray { message throws(MessageFailure) in
        try Rendition(from: &message)
      },
      cover: try message.readOptional { message throws(MessageFailure) in
        try Part(from: &message)
      },
      attachment: try message.readOptional { message throws(MessageFailure) in
        try Part(from: &message)
      },
      problems: try message.readArray { message throws(MessageFailure) in
        try Problem(from: &message)
      },
      visibleFraction: try message.read(),
      hints: try message.readOptional { message throws(MessageFailure) in
        try PictureHints(from: &message)
      }, extent: try message.readCase())
    isInputPlayable = try message.read()
    guard (0...1).contains(visibleFraction) else { throw .badValue("visible fraction") }
  }
}

extension RenderReply.Rendition: Message {
  package func write(to message: inout MessageWriter) {
    message.append(requestIndex)
    message.append(format.rawValue)
    size.write(to: &message)
    message.append(frames)
    bytes.write(to: &message)
  }

  package init(from message: inout MessageReader) throws(MessageFailure) {
    let index = try message.read(Int.self)
    let format = try message.readCase(MediaFormat.self)
    let size = try PixelSize(from: &message)
    let frames = try message.read(Int.self)
    let bytes = try Range<Int>(from: &message)
    guard frames > 0 else { throw .badValue("frames") }
    self.init(requestIndex: index, format: format, size: size, frames: frames, bytes: bytes)
  }
}

extension RenderReply.Part: Message {
  package func write(to message: inout MessageWriter) {
    message.append(format.rawValue)
    bytes.write(to: &message)
  }

  package init(from message: inout MessageReader) throws(MessageFailure) {
    self.init(format: try message.readCase(), bytes: try Range<Int>(from: &message))
  }
}

extension Range<Int> {
  fileprivate func write(to message: inout MessageWriter) {
    message.append(lowerBound)
    message.append(upperBound)
  }

  fileprivate init(from message: inout MessageReader) throws(MessageFailure) {
    let (start, end) = (try message.read(Int.self), try message.read(Int.self))
    guard 0 <= start, start <= end else { throw .badValue("range \(start)..<\(end)") }
    self = start..<end
  }
}

extension PictureFacts: Message {
  package func write(to message: inout MessageWriter) {
    message.append(format.rawValue)
    storedSize.write(to: &message)
    message.append(orientation.rawValue)
    message.append(frames)
    message.append(durationSeconds) { $0.append($1) }
    message.append(hasAlpha)
    message.append(bitDepth)
    message.append(colorSpace)
    message.append(codecs) { $0.append($1) }
  }

  package init(from message: inout MessageReader) throws(MessageFailure) {
    self.init(
      format: try message.readCase(),
      storedSize: try PixelSize(from: &message),
      orientation: try message.readCase(),
      frames: try message.read(),
      durationSeconds: try message.readOptional { message throws(MessageFailure) in
        try message.read(Double.self)
      },
      hasAlpha: try message.read(),
      bitDepth: try message.read(),
      colorSpace: try message.read(),
      codecs: try message.readArray { message throws(MessageFailure) in
        try message.read(String.self)
      })
    guard frames >= 0, bitDepth >= 0 else { throw .badValue("frames or bit depth") }
    try durationSeconds?.checkAsDuration()
  }
}

extension Double {
  func checkAsDuration() throws(MessageFailure) {
    guard isFinite, self >= 0 else { throw .badValue("duration") }
  }
}

extension Problem: Message {
  package func write(to message: inout MessageWriter) {
    message.append(stage.rawValue)
    message.append(code.rawValue)
    message.append(self.message)
    message.append(severity.rawValue)
    message.append(url) { $0.append($1) }
  }

  package init(from message: inout MessageReader) throws(MessageFailure) {
    self.init(
      try message.readCase(),
      try message.readCase(),
      try message.read(),
      severity: try message.readCase(),
      url: try message.readOptional { message throws(MessageFailure) in
        try message.read(String.self)
      })
  }
}
