import AudioVideo
import Files
import Glibc
import Media
import TestSupport

/// What the reader makes of one file in this process.
struct MediaRun {
  let reply: RenderReply
  private let output: [UInt8]

  init(_ request: RenderRequest, _ path: String) throws {
    MediaReader.warmUp()
    let input = try Descriptor.open(path, flags: O_RDONLY)
    let output = try MemoryFile.create("output")
    reply = MediaReader.run(request, input: input.number, output: output.number)
    self.output = try output.read(at: 0, count: try output.size())
  }

  func bytes(_ range: Range<Int>) -> [UInt8] { Array(output[range]) }

  var errors: [Problem.Code] { reply.problems.filter { $0.severity == .error }.map(\.code) }
}

/// Files whose contents others can tell: the samples, and those of the corpus that are whole.
struct MediaFile: CustomStringConvertible, Sendable {
  let path: String
  let format: String
  var description: String { path.split(separator: "/").suffix(2).joined(separator: "/") }

  static let formats: Set<String> = [
    "mp4", "mov", "m4a", "mp3", "aac", "wav", "aiff", "flac", "ogg", "avi", "mpeg", "webm", "mkv",
  ]

  static let samples = Samples.folder("audio", "video").map {
    MediaFile(path: $0.path, format: $0.format.rawValue)
  }

  /// Files of the corpus by category; nil stands for all.
  static func corpus(_ category: String?) -> [MediaFile] {
    Corpus.files(category: category).filter { formats.contains($0.format) }
      .map { MediaFile(path: $0.path, format: $0.format) }
  }

  static let whole = samples + corpus("ok")
}
