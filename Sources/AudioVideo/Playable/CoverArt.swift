internal import CAV
internal import Imaging
internal import Media

/// The picture embedded in a file (ID3v2 APIC, MP4 covr, FLAC PICTURE), never decoded here.
struct CoverArt {
  let format: MediaFormat
  let bytes: [UInt8]

  /// The first embedded picture that is told to be one; nil where there is none. The corresponding C
  /// structure is `AVStream`, its `attached_pic`.
  init?(
    of demuxer: borrowing Demuxer, streams: [StreamDescription], _ input: Int32
  ) throws(DecodeFailure) {
    if let bytes = try UnsynchronisedTag(SourceFile(descriptor: input))?.cover() {
      let format = MediaFormat.sniff(bytes)
      guard format.kind == .image else { return nil }
      self.format = format
      self.bytes = bytes
      return
    }
    for stream in streams where stream.kind == .cover {
      guard let source = unsafe demuxer.stream(stream.index),
        let data = unsafe source.pointee.attached_pic.data
      else { continue }
      let count = unsafe Int(source.pointee.attached_pic.size)
      guard count > 0 else { continue }
      let bytes = unsafe [UInt8](UnsafeBufferPointer(start: data, count: count))
      let format = MediaFormat.sniff(bytes)
      guard format.kind == .image else { continue }
      self.format = format
      self.bytes = bytes
      return
    }
    return nil
  }

  /// Writes the picture to the output's end.
  func write(to output: Int32) throws(DecodeFailure) -> RenderReply.Part {
    let file = try OutputFile(descriptor: output)
    guard unsafe bytes.withUnsafeBytes({ unsafe file.write($0) }) else {
      throw .inputOutput("the cover could not be written")
    }
    return RenderReply.Part(format: format, bytes: file.range)
  }
}
