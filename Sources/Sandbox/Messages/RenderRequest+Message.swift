package import Media

extension RenderRequest: Message {
  /// Grows whenever the form changes.
  private static let version: UInt8 = 6

  package func write(to message: inout MessageWriter) {
    message.append(Self.version)
    message.append(operation.rawValue)
    message.append(renditions) { $1.write(to: &$0) }
    message.append(outputFormat.rawValue)
    message.append(quality)
    message.append(flatten) { $1.write(to: &$0) }
    message.append(acceptsPartial)
    message.append(leastVisible)
    message.append(embedded.rawValue)
    message.append(comparison) { $0.append(Int($1.millisecondsRoundedUp)) }
    message.append(reading.rawValue)
    message.append(limits.maxPixels)
    message.append(limits.maxFrames)
    message.append(attachment) { $0.append($1.rawValue) }
    message.append(time) { $0.append(Int($1.millisecondsRoundedUp)) }
  }

  package init(from message: inout MessageReader) throws(MessageFailure) {
    guard try message.read(UInt8.self) == Self.version else { throw .badValue("version") }
    self.init(
      operation: try message.readCase(),
      renditions: try message.readArray { message throws(MessageFailure) in
        try Rendition(from: &message)
      },
      outputFormat: try message.readCase(),
      quality: try message.read(),
      flatten: try message.readOptional { message throws(MessageFailure) in
        try RGBColour(from: &message)
      },
      acceptsPartial: try message.read(),
      leastVisible: try message.read(),
      embedded: try message.readCase(),
      comparison: try message.readOptional { message throws(MessageFailure) in
        .milliseconds(try message.read(Int.self))
      },
      reading: try message.readCase(),
      limits: DecodeLimits(maxPixels: try message.read(), maxFrames: try message.read()),
      attachment: try message.readOptional { message throws(MessageFailure) in
        try message.readCase(AttachmentRules.self)
      },
      time: try message.readOptional { message throws(MessageFailure) in
        .milliseconds(try message.read(Int.self))
      })
  }
}

extension RenderRequest.Rendition: Message {
  package func write(to message: inout MessageWriter) {
    box.write(to: &message)
    message.append(fit.rawValue)
    message.append(stillBudget) { $0.append($1) }
    message.append(animatedBudget) { $0.append($1) }
  }

  package init(from message: inout MessageReader) throws(MessageFailure) {
    self.init(
      box: try PixelSize(from: &message),
      fit: try message.readCase(),
      stillBudget: try message.readOptional { message throws(MessageFailure) in
        try message.read()
      },
      animatedBudget: try message.readOptional { message throws(MessageFailure) in
        try message.read()
      })
  }
}

extension RGBColour: Message {
  package func write(to message: inout MessageWriter) {
    message.append(red)
    message.append(green)
    message.append(blue)
  }

  package init(from message: inout MessageReader) throws(MessageFailure) {
    self.init(red: try message.read(), green: try message.read(), blue: try message.read())
  }
}

extension PixelSize: Message {
  package func write(to message: inout MessageWriter) {
    message.append(width)
    message.append(height)
  }

  /// Reads a size; both numbers must be positive.
  package init(from message: inout MessageReader) throws(MessageFailure) {
    self.init(width: try message.read(), height: try message.read())
    guard width > 0, height > 0 else { throw .badValue("size \(width)x\(height)") }
  }
}
