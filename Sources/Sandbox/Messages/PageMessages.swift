package import Media

extension PageRequest: Message {
  /// Grows whenever the form changes.
  private static let version: UInt8 = 2

  package func write(to message: inout MessageWriter) {
    message.append(Self.version)
    message.append(form.rawValue)
    message.append(contentType) { $0.append($1) }
  }

  package init(from message: inout MessageReader) throws(MessageFailure) {
    guard try message.read(UInt8.self) == Self.version else { throw .badValue("version") }
    self.init(
      try message.readCase(Form.self),
      contentType: try message.readOptional { message throws(MessageFailure) in
        try message.read(String.self)
      })
  }
}

extension PageReply: Message {
  /// Grows whenever the form changes.
  private static let version: UInt8 = 2

  package func write(to message: inout MessageWriter) {
    message.append(Self.version)
    message.append(facts) { $1.write(to: &$0) }
    message.append(listing) { $1.write(to: &$0) }
    message.append(problems) { $1.write(to: &$0) }
  }

  package init(from message: inout MessageReader) throws(MessageFailure) {
    guard try message.read(UInt8.self) == Self.version else { throw .badValue("version") }
    self.init(
      facts: try message.readOptional { message throws(MessageFailure) in
        try PageFacts(from: &message)
      },
      listing: try message.readOptional { message throws(MessageFailure) in
        try Listing(from: &message)
      },
      problems: try message.readArray { message throws(MessageFailure) in
        try Problem(from: &message)
      })
  }
}

extension Listing: Message {
  package func write(to message: inout MessageWriter) {
    message.append(kind.rawValue)
    message.append(UInt32(clamping: entries))
    message.append(isCut)
  }

  package init(from message: inout MessageReader) throws(MessageFailure) {
    self.init(
      try message.readCase(Kind.self), entries: Int(try message.read(UInt32.self)),
      isCut: try message.read(Bool.self))
  }
}

extension PageFacts: Message {
  package func write(to message: inout MessageWriter) {
    message.append(baseReference) { $0.append($1, limit: Self.longestReference) }
    message.append(title) { $0.append($1) }
    message.append(publisher) { $0.append($1) }
    message.append(pictures) { $1.write(to: &$0) }
  }

  package init(from message: inout MessageReader) throws(MessageFailure) {
    let text = { (message: inout MessageReader) throws(MessageFailure) in
      try message.read(String.self)
    }
    self.init(
      baseReference: try message.readOptional { message throws(MessageFailure) in
        try message.read(limit: Self.longestReference)
      },
      title: try message.readOptional(text),
      publisher: try message.readOptional(text),
      pictures: try message.readArray { message throws(MessageFailure) in
        try Picture(from: &message)
      })
  }
}

extension PageFacts.Picture: Message {
  package func write(to message: inout MessageWriter) {
    message.append(place.rawValue)
    message.append(reference, limit: PageFacts.longestReference)
    message.append(altText) { $0.append($1) }
  }

  package init(from message: inout MessageReader) throws(MessageFailure) {
    self.init(
      try message.readCase(Place.self),
      try message.read(limit: PageFacts.longestReference),
      altText: try message.readOptional { message throws(MessageFailure) in
        try message.read(String.self)
      })
  }
}
