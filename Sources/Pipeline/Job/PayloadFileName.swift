/// A name in incoming/: an id and an extension that we read.
package struct PayloadFileName: Sendable, Hashable {
  package let text: String
  /// Without the dot, as written.
  package let fileExtension: String

  static let extensions = ["json", "plist", "webloc", "url", "txt"]

  /// Nil for dot-files and for names with another extension: they are not ours.
  package init?(_ text: String) {
    guard !text.hasPrefix("."), let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      return nil
    }
    fileExtension = String(text[text.index(after: dot)...])
    guard Self.extensions.contains(fileExtension.lowercased()) else { return nil }
    self.text = text
  }

  /// What a file of any name is called in incoming/, where those with a dot before them are ignored;
  /// nil for an extension that we do not read.
  package init?(submitted text: String) {
    guard text.hasPrefix(".") else {
      self.init(text)
      return
    }
    guard let name = PayloadFileName("_" + text.dropFirst()),
      let identifier = JobIdentifier("." + name.stem.dropFirst())
    else { return nil }
    self.init("\(identifier.stem).\(name.fileExtension)")
  }

  /// Whether a name was meant for us as far as can be told, and has an extension that we do not read.
  package static func isForeign(_ text: String) -> Bool {
    !text.hasPrefix(".") && PayloadFileName(text) == nil
  }

  package static let refusalOfExtension =
    "the name ends in none of " + extensions.map { ".\($0)" }.joined(separator: ", ")

  /// The id of a payload that has none of its own.
  package var stem: String { String(text.dropLast(fileExtension.count + 1)) }
}
