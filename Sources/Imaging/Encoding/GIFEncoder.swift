internal import Media

/// GIF without comments (giflib).
package enum GIFEncoder {
  /// Writes one frame; its palette is the file's.
  static func encode(_ picture: IndexedPicture) throws(DecodeFailure) -> EncodedPicture {
    let sink = GIFSink()
    defer { withExtendedLifetime(sink) {} }
    let file = try GIFFile.open(sink)
    try file.begin(picture.size, palette: picture.palette)
    if let index = picture.transparentIndex {
      try file.writeControl(hundredths: 0, transparentIndex: index, clears: false)
    }
    try file.writeFrame(PixelRectangle(picture.size), palette: nil, indices: picture.indices)
    try file.close()
    return EncodedPicture(format: .gif, size: picture.size, bytes: sink.bytes)
  }
}
