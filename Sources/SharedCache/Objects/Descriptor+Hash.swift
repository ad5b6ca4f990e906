package import Files
internal import Glibc

extension Descriptor {
  /// Calls `body` with pieces of at most 256 kB from `offset` on, `count` bytes in all or fewer at
  /// the end of the file; returns how many there were.
  borrowing func forEachPiece(
    from offset: Int, count: Int, _ body: (borrowing RawSpan) throws(SystemCallFailure) -> Void
  ) throws(SystemCallFailure) -> Int {
    let number = number
    var buffer = [UInt8](repeating: 0, count: min(max(count, 1), 262_144))
    var done = 0
    while done < count {
      let (position, wanted) = (offset + done, min(buffer.count, count - done))
      let got = try retryingOnInterrupt("pread") {
        unsafe buffer.withUnsafeMutableBytes {
          unsafe pread(number, $0.baseAddress, wanted, position)
        }
      }
      if got == 0 { break }
      try unsafe body(buffer.span.bytes.extracting(first: got))
      done += got
    }
    return done
  }

  /// The SHA-256 of the whole file and its length in bytes; the hash is nil where libcrypto failed.
  package borrowing func contentHash() throws(SystemCallFailure) -> (hash: ContentHash?, bytes: Int)
  {
    let size = try size()
    var hash = SHA256()
    let bytes = try forEachPiece(from: 0, count: size) { piece throws(SystemCallFailure) in
      hash.update(piece)
    }
    return (hash.finish(), bytes)
  }
}
