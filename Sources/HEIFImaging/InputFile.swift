internal import Glibc
internal import Imaging

/// A picture file read at given offsets through a descriptor that somebody else closes.
struct InputFile: Sendable {
  let descriptor: Int32
  /// In bytes, as it was when the file was adopted.
  let size: Int

  /// The corresponding C function is `lseek`: `fstat` may be forbidden to a confined process.
  init(descriptor: Int32) throws(DecodeFailure) {
    size = lseek(descriptor, 0, SEEK_END)
    guard size >= 0 else { throw .inputOutput("lseek: errno \(errno)") }
    self.descriptor = descriptor
  }

  /// The bytes of `range`, which the file has to hold.
  func bytes(_ range: Range<Int>) throws(DecodeFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    let filled = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe read(into: buffer, at: range.lowerBound)
    }
    guard let filled else { throw .inputOutput("pread: errno \(errno)") }
    guard filled == range.count else {
      throw .truncated("bytes \(range) of \(size) could not be read")
    }
    return bytes
  }

  /// Fills `buffer` from `offset` on, less at the file's end; nil on an error. The corresponding C
  /// function is `pread`.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int? {
    var filled = 0
    while filled < buffer.count {
      let got = unsafe pread(
        descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled,
        offset + filled)
      if got == 0 { break }
      if got > 0 {
        filled += got
      } else if errno != EINTR {
        return nil
      }
    }
    return filled
  }
}
