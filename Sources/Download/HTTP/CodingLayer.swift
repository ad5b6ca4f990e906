internal import CZLib
internal import Glibc

/// A coding of content that we undo (RFC 9110 §8.4.1).
enum ContentCoding: Sendable {
  case gzip, deflate

  /// Nil for a name that is none of these.
  init?(_ name: String) {
    switch name {
    case "gzip", "x-gzip": self = .gzip
    case "deflate": self = .deflate
    default: return nil
    }
  }
}

/// One coding of a body, undone as the bytes come. Unlike libcurl's it takes a body as it is where the
/// bytes are not in the coding that the field names, and ignores what follows the compressed data:
/// servers do both, and browsers show the page.
final class CodingLayer {
  private enum State {
    /// The first bytes have yet to tell whether the coding was applied.
    case unproven(ContentCoding)
    case asItIs
    case inflating
    case ended
    case damaged
  }

  private static let room = 64 << 10

  private var state: State
  private var start: [UInt8] = []
  private var stream: InflateStream?

  init(_ coding: ContentCoding) {
    state = .unproven(coding)
  }

  /// False where the data ended before the coding's end, or were damaged.
  var isWhole: Bool {
    switch state {
    case .asItIs, .ended: true
    // Nothing at all is an empty body.
    case .unproven: start.isEmpty
    case .inflating, .damaged: false
    }
  }

  /// Hands over what some bytes come to, a piece at a time, until `body` says false, which is what
  /// it returns then. False also where the data are damaged.
  func decode(_ bytes: RawSpan, _ body: (RawSpan) -> Bool) -> Bool {
    switch state {
    case .asItIs: return body(bytes)
    case .damaged: return false
    case .inflating: return inflate(bytes, body)
    case .unproven(let coding): return begin(coding, bytes, body)
    case .ended: return begin(.gzip, bytes, body)
    }
  }

  /// Hands over first bytes that were too few to tell anything.
  func finish(_ body: (RawSpan) -> Bool) -> Bool {
    guard case .unproven = state, !start.isEmpty else { return true }
    state = .asItIs
    let bytes = start
    start = []
    return unsafe body(bytes.span.bytes)
  }

  private func begin(
    _ coding: ContentCoding, _ bytes: RawSpan, _ body: (RawSpan) -> Bool
  ) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe start.append(contentsOf: $0) }
    guard start.count >= 2 else { return true }
    let collected = start
    start = []
    if let window = Self.window(coding, collected) {
      stream = InflateStream(windowBits: window)
      state = stream == nil ? .damaged : .inflating
      return unsafe inflate(collected.span.bytes, body)
    }
    // After the data's end more of it may follow (RFC 1952 §2.2); anything else is padding.
    if case .ended = state { return true }
    state = .asItIs
    return unsafe body(collected.span.bytes)
  }

  /// The argument of inflateInit2 for data that begin so; nil for none of the coding's.
  private static func window(_ coding: ContentCoding, _ bytes: [UInt8]) -> Int32? {
    let head = (UInt16(bytes[0]) << 8) | UInt16(bytes[1])
    switch coding {
    case .gzip: return head == 0x1F8B ? 15 + 16 : nil
    // "deflate" is zlib's form (RFC 1950 §2.2); some servers send the bare one (RFC 1951).
    case .deflate: return bytes[0] & 0x0F == 8 && head % 31 == 0 ? 15 : -15
    }
  }

  private func inflate(_ bytes: RawSpan, _ body: (RawSpan) -> Bool) -> Bool {
    var rest = bytes
    while case .inflating = state {
      var piece = [UInt8](repeating: 0, count: Self.room)
      guard let step = stream?.step(rest, into: &piece) else { return false }
      rest = rest.extracting(step.taken...)
      if step.made > 0, unsafe !body(piece.span.bytes.extracting(..<step.made)) { return false }
      if step.result == .damaged {
        state = .damaged
        return false
      }
      if step.result == .ended {
        stream = nil
        state = .ended
        return rest.byteCount == 0 || decode(rest, body)
      }
      if rest.byteCount == 0, step.made < Self.room { return true }
    }
    return true
  }
}

/// zlib's state for data that are undone (inflateInit2, inflate, inflateEnd).
@safe private struct InflateStream: ~Copyable {
  enum Result {
    case more, ended, damaged
  }

  /// It knows its own address and must stay there.
  private let stream: UnsafeMutablePointer<z_stream>

  init?(windowBits: Int32) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard unsafe czlib_begin(stream, windowBits) == Z_OK else { return nil }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Undoes some bytes, as far as there is room for what they come to.
  mutating func step(
    _ bytes: RawSpan, into room: inout [UInt8]
  ) -> (taken: Int, made: Int, result: Result) {
    let stream = unsafe self.stream
    return unsafe bytes.withUnsafeBytes { source in
      unsafe room.withUnsafeMutableBufferPointer { target in
        // zlib does not write through its input pointer.
        unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(
          mutating: source.baseAddress?.assumingMemoryBound(to: UInt8.self))
        unsafe stream.pointee.avail_in = UInt32(clamping: source.count)
        unsafe stream.pointee.next_out = target.baseAddress
        unsafe stream.pointee.avail_out = UInt32(target.count)
        let offered = Int(unsafe stream.pointee.avail_in)
        let code = unsafe CZLib.inflate(stream, Z_NO_FLUSH)
        let taken = offered - Int(unsafe stream.pointee.avail_in)
        let made = target.count - Int(unsafe stream.pointee.avail_out)
        switch code {
        // Z_BUF_ERROR: nothing could be done without more input.
        case Z_OK, Z_BUF_ERROR: return (taken, made, .more)
        case Z_STREAM_END: return (taken, made, .ended)
        default: return (taken, made, .damaged)
        }
      }
    }
  }
}
