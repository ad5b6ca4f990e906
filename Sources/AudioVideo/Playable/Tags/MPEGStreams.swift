internal import Imaging

/// What of an MPEG file is its sound and film: a transport stream, a program stream or a video stream
/// alone. Names of services, private streams and texts within the film are overwritten where they are.
struct MPEGStreams {
  private let file: SourceFile
  private let sounds: Set<Int>

  /// `sounds` are the numbers of a transport stream's packets that are known to be sound.
  init(_ file: SourceFile, sounds: Set<Int>) {
    self.file = file
    self.sounds = sounds
  }

  /// Fails for a transport stream that does not say what it holds.
  func copy() throws(DecodeFailure) -> CleanCopy {
    var patches = FilePatches()
    let head = try file.bytes(at: 0, count: min(4, file.size))
    if head == [0, 0, 1, 0xB3] {
      var window = SourceWindow(file)
      var texts = VideoTexts()
      try window.forEachBlock(in: 0..<file.size) { (bytes, offset) in
        texts.take(bytes, at: offset, patches: &patches)
      }
      texts.end(patches: &patches)
    } else if head == [0, 0, 1, 0xBA] {
      var stream = ProgramStream(file)
      try stream.clean(&patches)
    } else {
      var stream = try TransportStream(file, sounds: sounds)
      try stream.clean(&patches)
    }
    return patches.copy(of: file)
  }
}
