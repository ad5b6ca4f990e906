internal import Imaging
internal import Media

/// A file as it is to be attached: its sound or film where it lies in the source, without tags.
///
/// Containers that notifications play as they are hold places, names, dates and comments, which a
/// notification does not show and nobody means to send (contract §5).
struct CleanCopy {
  enum Piece: Hashable {
    /// Bytes of the source.
    case source(Range<Int>)
    case bytes([UInt8])
    case fill(UInt8, Int)
  }

  private(set) var pieces: [Piece] = []

  mutating func append(_ piece: Piece) {
    if case .source(let range) = piece, range.isEmpty { return }
    if case .source(let range) = piece, case .source(let last)? = pieces.last,
      last.upperBound == range.lowerBound
    {
      pieces[pieces.count - 1] = .source(last.lowerBound..<range.upperBound)
    } else {
      pieces.append(piece)
    }
  }

  /// What remains of a file; nil where the format has no place for tags. `sounds` are the numbers that
  /// packets of sound have in a transport stream.
  static func of(
    _ format: MediaFormat, _ file: SourceFile, sounds: Set<Int> = []
  ) throws(DecodeFailure) -> CleanCopy? {
    switch format {
    case .mp3: try MP3Tags(file).copy()
    case .wav: try WaveChunks(file).copy()
    case .aiff: try AIFFChunks(file).copy()
    case .avi: try AVIChunks(file).copy()
    case .mpeg: try MPEGStreams(file, sounds: sounds).copy()
    default: nil
    }
  }

  /// Whether nothing was to be left out.
  func isWhole(_ file: SourceFile) -> Bool { pieces == [.source(0..<file.size)] }

  private static let blockBytes = 64 << 10

  /// Writes the file to the output's end and tells where it lies.
  func write(
    _ format: MediaFormat, from file: SourceFile, to output: Int32
  ) throws(DecodeFailure) -> RenderReply.Part {
    let result = try OutputFile(descriptor: output)
    for piece in pieces {
      switch piece {
      case .bytes(let bytes): try result.append(bytes)
      case .fill(let byte, let count):
        for start in stride(from: 0, to: count, by: Self.blockBytes) {
          try result.append([UInt8](repeating: byte, count: min(Self.blockBytes, count - start)))
        }
      case .source(let range):
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.blockBytes) {
          try result.append(
            try file.bytes(at: start, count: min(Self.blockBytes, range.upperBound - start)))
        }
      }
    }
    return RenderReply.Part(format: format, bytes: result.range)
  }
}

extension OutputFile {
  fileprivate func append(_ bytes: [UInt8]) throws(DecodeFailure) {
    guard unsafe bytes.withUnsafeBytes({ unsafe write($0) }) else {
      throw .inputOutput("the file without tags could not be written")
    }
  }
}
