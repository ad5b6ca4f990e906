internal import Foundation

/// Real media files that nobody here wrote, beside the project; absent on most machines.
package struct Corpus: Sendable {
  /// One row of the catalogue.
  package struct Entry: Sendable, CustomStringConvertible {
    /// Relative to the corpus.
    package let name: String
    /// Where it is.
    package let path: String
    package let size: Int
    /// `ok`, `odd-but-valid`, `truncated`, `malformed`, `bomb`, `mismatch extension`, `not-media`.
    package let category: String
    /// As the catalogue's sniffer names it; `-` where it knows none.
    package let format: String
    /// As stored (HEIC, AVIF: after rotation); nil where the reference decoder gives none.
    package let width: Int?
    package let height: Int?
    package let frames: Int?
    /// What the reference decoder says: `ok`, `fail`, `warn`, `skipped`, `-`.
    package let decode: String
    /// Facts such as `exif`, `progressive`, `orient=6`.
    package let features: [Substring]
    package let notes: String

    package var description: String { name }
  }

  package let entries: [Entry]

  /// The corpus beside the project, or nil where it is not.
  package static let shared: Corpus? = Corpus(at: Project.path("../shared/corpus"))

  private init?(at folder: String) {
    guard let index = try? String(contentsOfFile: "\(folder)/index.tsv", encoding: .utf8) else {
      return nil
    }
    entries = index.split(separator: "\n").dropFirst().compactMap { Entry(row: $0, in: folder) }
  }

  /// The files of a format and a category; nil stands for any.
  package func files(format: String? = nil, category: String? = nil) -> [Entry] {
    entries.filter { entry in
      (format == nil || entry.format == format) && (category == nil || entry.category == category)
    }
  }

  /// The files of the corpus, or none where there is no corpus: for parameterised tests.
  package static func files(format: String? = nil, category: String? = nil) -> [Entry] {
    shared?.files(format: format, category: category) ?? []
  }
}

extension Corpus.Entry {
  /// Columns: path, size, category, format, width, height, frames, decode, features, notes, …
  init?(row: Substring, in folder: String) {
    let fields = row.split(separator: "\t", omittingEmptySubsequences: false)
    guard fields.count >= 10, let size = Int(fields[1]) else { return nil }
    name = String(fields[0])
    path = "\(folder)/\(fields[0])"
    self.size = size
    category = String(fields[2])
    format = String(fields[3])
    width = Int(fields[4])
    height = Int(fields[5])
    frames = Int(fields[6])
    decode = String(fields[7])
    features = fields[8].split(separator: ";")
    notes = String(fields[9])
  }
}
