internal import Foundation
package import Media

/// One file of media-samples/: what it is, and what must come of it.
package struct Sample: Sendable, Decodable, CustomStringConvertible {
  /// What Wirephoto makes of a sample.
  package enum Outcome: Sendable, Hashable {
    /// A bounded picture (of a film: its poster; of sound: its cover).
    case picture
    /// Sound without a cover: the file itself, no picture.
    case sound
    case problem(Problem.Code)
  }

  /// Relative to media-samples/.
  package let name: String
  package let format: MediaFormat
  /// As displayed; nil where there is nothing to see.
  package let size: PixelSize?
  package let orientation: Orientation
  /// 1 for a still.
  package let frames: Int
  package let hasAlpha: Bool
  package let outcome: Outcome
  package let note: String

  package var path: String { Project.path("media-samples/\(name)") }
  package var description: String { name }

  /// The folder, which names the format or the kind of trouble.
  package var folder: Substring { name.prefix { $0 != "/" } }
}

/// The catalogue of media-samples/.
package enum Samples {
  /// All samples, in the catalogue's order.
  package static let all: [Sample] = load()

  /// The samples of some folders (`jpeg`, `hostile`).
  package static func folder(_ names: String...) -> [Sample] {
    all.filter { names.contains(String($0.folder)) }
  }

  /// The samples of one format that become a picture.
  package static func pictures(_ format: MediaFormat) -> [Sample] {
    all.filter { $0.format == format && $0.outcome == .picture }
  }

  private struct Catalogue: Decodable {
    let samples: [Sample]
  }

  private static func load() -> [Sample] {
    do {
      let file = URL(fileURLWithPath: Project.path("media-samples/samples.json"))
      return try JSONDecoder().decode(Catalogue.self, from: Data(contentsOf: file)).samples
    } catch {
      // An empty list would make every parameterised test pass.
      preconditionFailure("media-samples/samples.json: \(error)")
    }
  }
}

extension Sample {
  private enum Key: String, CodingKey {
    case path, format, width, height, orientation, frames, hasAlpha, expected, note
  }

  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    name = try fields.decode(String.self, forKey: .path)
    format = try Self.value(.format, in: fields)
    let width = try fields.decodeIfPresent(Int.self, forKey: .width)
    let height = try fields.decodeIfPresent(Int.self, forKey: .height)
    size = if let width, let height { PixelSize(width: width, height: height) } else { nil }
    orientation = try Self.value(.orientation, in: fields)
    frames = try fields.decode(Int.self, forKey: .frames)
    hasAlpha = try fields.decode(Bool.self, forKey: .hasAlpha)
    note = try fields.decode(String.self, forKey: .note)
    switch try fields.decode(String.self, forKey: .expected) {
    case "picture": outcome = .picture
    case "sound": outcome = .sound
    default: outcome = .problem(try Self.value(.expected, in: fields))
    }
  }

  private static func value<Value: RawRepresentable>(
    _ key: Key, in fields: KeyedDecodingContainer<Key>
  ) throws -> Value where Value.RawValue: Decodable {
    let raw = try fields.decode(Value.RawValue.self, forKey: key)
    guard let value = Value(rawValue: raw) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: fields, debugDescription: "\(raw) is none of \(Value.self)")
    }
    return value
  }
}
