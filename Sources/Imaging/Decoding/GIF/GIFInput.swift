internal import CGIF
internal import Glibc

/// The bytes that giflib pulls: a file read by offset through one buffer. A class, because the
/// library keeps its address.
final class GIFInput {
  private let input: Int32
  private var offset = 0
  private var buffer: [UInt8] = []
  private var used = 0
  /// The number of a failed pread.
  private(set) var failure: Int32?
  /// Whether more was asked for than there is.
  private(set) var hasEnded = false

  private static let bufferBytes = 16_384

  init(_ input: Int32) {
    self.input = input
  }

  /// Whether no byte is left; true also where none can be read.
  var isAtEnd: Bool { used == buffer.count && !refill() }

  /// Copies up to `count` bytes, fewer at the end. The corresponding C function is `pread`.
  func read(into target: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
    var copied = 0
    while copied < count {
      if used == buffer.count, !refill() { break }
      let taken = min(count - copied, buffer.count - used)
      for index in 0..<taken { unsafe target[copied + index] = buffer[used + index] }
      used += taken
      copied += taken
    }
    return copied
  }

  private func refill() -> Bool {
    var bytes = [UInt8](repeating: 0, count: Self.bufferBytes)
    let got = unsafe bytes.withUnsafeMutableBytes { target in
      while true {
        let got = unsafe pread(input, target.baseAddress, target.count, offset)
        if got >= 0 || errno != EINTR { return got }
      }
    }
    if got < 0 { failure = errno }
    if got == 0 { hasEnded = true }
    guard got > 0 else { return false }
    bytes.removeLast(bytes.count - got)
    buffer = bytes
    used = 0
    offset += got
    return true
  }
}
