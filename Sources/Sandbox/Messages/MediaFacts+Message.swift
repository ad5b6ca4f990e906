package import Media

extension MediaFacts: Message {
  package func write(to message: inout MessageWriter) {
    message.append(format.rawValue)
    message.append(durationSeconds) { $0.append($1) }
    message.append(codecs) { $0.append($1) }
    message.append(displayedSize) { $1.write(to: &$0) }
    message.append(orientation.rawValue)
    message.append(bitDepth) { $0.append($1) }
    message.append(colorSpace) { $0.append($1) }
    message.append(hasCover)
    message.append(posterSeconds) { $0.append($1) }
  }

  package init(from message: inout MessageReader) throws(MessageFailure) {
    self.init(
      format: try message.readCase(),
      durationSeconds: try message.readOptional { message throws(MessageFailure) in
        try message.read(Double.self)
      },
      codecs: try message.readArray { message throws(MessageFailure) in
        try message.read(String.self)
      },
      displayedSize: try message.readOptional { message throws(MessageFailure) in
        try PixelSize(from: &message)
      },
      orientation: try message.readCase(),
      bitDepth: try message.readOptional { message throws(MessageFailure) in
        try message.read(Int.self)
      },
      colorSpace: try message.readOptional { message throws(MessageFailure) in
        try message.read(String.self)
      },
      hasCover: try message.read(),
      posterSeconds: try message.readOptional { message throws(MessageFailure) in
        try message.read(Double.self)
      })
    guard format.kind == .audio || format.kind == .video else { throw .badValue("kind") }
    try durationSeconds?.checkAsDuration()
    try posterSeconds?.checkAsDuration()
  }
}
