extension JSONValue {
  /// The value on one line.
  package var text: String { String(decoding: JSONWriter.write(self), as: UTF8.self) }
}
