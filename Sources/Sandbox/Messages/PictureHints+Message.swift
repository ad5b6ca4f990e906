package import Media

extension PictureHints: Message {
  /// A ThumbHash is no longer than this.
  private static let longestHash = 32

  package func write(to message: inout MessageWriter) {
    message.append(thumbHash) { $0.append($1) }
    message.append(dominantColour) { $1.write(to: &$0) }
    square.write(to: &message)
  }

  package init(from message: inout MessageReader) throws(MessageFailure) {
    let hash = try message.readArray { message throws(MessageFailure) in
      try message.read(UInt8.self)
    }
    guard hash.count <= Self.longestHash else { throw .badValue("hash of \(hash.count) bytes") }
    self.init(
      thumbHash: hash,
      dominantColour: try message.readOptional { message throws(MessageFailure) in
        try RGBColour(from: &message)
      },
      square: try UnitRectangle(from: &message))
  }
}

extension UnitRectangle: Message {
  package func write(to message: inout MessageWriter) {
    for side in [x, y, width, height] { message.append(side) }
  }

  package init(from message: inout MessageReader) throws(MessageFailure) {
    self.init(
      x: try message.read(), y: try message.read(), width: try message.read(),
      height: try message.read())
    guard [x, y, width, height].allSatisfy({ (0...1).contains($0) }) else {
      throw .badValue("rectangle")
    }
  }
}
