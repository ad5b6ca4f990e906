package import Media

extension JSONValue {
  /// The value on one line.
  package var text: String { String(decoding: JSONWriter.write(self), as: UTF8.self) }

  /// The value over several lines, for a person.
  package var prettyText: String {
    String(decoding: JSONWriter.write(self, pretty: true), as: UTF8.self)
  }

  /// An object's members, one a line, for a person.
  package var lines: String {
    (object?.members ?? []).map { "\($0.name): \($0.value.string ?? $0.value.text)" }
      .joined(separator: "\n")
  }
}
