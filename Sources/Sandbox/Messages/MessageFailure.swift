/// A message that does not have the form agreed on.
package enum MessageFailure: Error, Sendable, Hashable {
  /// It ends before the value that is due.
  case truncated
  /// Bytes are left over.
  case excess(Int)
  /// A length or count is above what the message may hold.
  case tooLong(limit: Int, actual: Int)
  /// A value that means nothing.
  case badValue(String)
}

/// A value with a binary form; both sides of a control socket come from one build.
package protocol Message {
  func write(to message: inout MessageWriter)
  init(from message: inout MessageReader) throws(MessageFailure)
}

extension Message {
  /// The value's binary form.
  package var encoded: [UInt8] {
    var message = MessageWriter()
    write(to: &message)
    return message.bytes
  }

  /// Reads a value that fills `bytes` to the last.
  package init(decoding bytes: [UInt8]) throws(MessageFailure) {
    var message = MessageReader(bytes)
    try self.init(from: &message)
    try message.finish()
  }
}

/// Bounds of every message.
package enum MessageLimit {
  /// Bytes of one message on a control socket; the kernel's socket buffer takes more.
  package static let bytes = 128 << 10
  /// UTF-8 bytes of one string.
  package static let string = 2048
  /// Elements of one array.
  package static let elements = 64
}
