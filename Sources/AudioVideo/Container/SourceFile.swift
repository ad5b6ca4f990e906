internal import CAV
internal import Glibc
internal import Imaging

/// The one input, read through its descriptor: libavformat opens nothing by itself.
final class SourceFile {
  let descriptor: Int32
  let size: Int
  private var position = 0
  /// Where libavformat reads `SurplusCovers.mark` in place of what stands there; in rising order.
  private var marks: [Int] = []

  /// The corresponding C function is `lseek`.
  init(descriptor: Int32) throws(DecodeFailure) {
    size = lseek(descriptor, 0, SEEK_END)
    guard size >= 0 else { throw .inputOutput("lseek: errno \(errno)") }
    self.descriptor = descriptor
  }

  /// The first bytes, from which the format is told.
  func head() throws(DecodeFailure) -> [UInt8] {
    try bytes(at: 0, count: min(size, 4096))
  }

  /// Bytes that lie within the file.
  func bytes(at offset: Int, count: Int) throws(DecodeFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var got = 0
    while got < count {
      let more = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: got), count - got, offset + got)
      }
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { throw .inputOutput("pread: errno \(errno)") }
      guard more > 0 else { throw .truncated("the file ends at byte \(offset + got)") }
      got += more
    }
    return bytes
  }

  /// The corresponding C function is `pread`; the result is libavformat's.
  fileprivate func read(into buffer: UnsafeMutablePointer<UInt8>?, count: Int32) -> Int32 {
    guard position < size else { return cav_end_of_file }
    while true {
      let got = unsafe pread(descriptor, buffer, Int(count), position)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { return cav_io_error }
      guard got > 0 else { return cav_end_of_file }
      if let buffer = unsafe buffer { unsafe disguise(buffer, position..<position + got) }
      position += got
      return Int32(got)
    }
  }

  /// Has libavformat pass over embedded pictures beyond the first few.
  func hideSurplusCovers() throws(DecodeFailure) {
    marks = try SurplusCovers.names(in: self)
  }

  /// - Safety: `buffer` must hold as many bytes as `range`.
  @unsafe private func disguise(_ buffer: UnsafeMutablePointer<UInt8>, _ range: Range<Int>) {
    var (first, last) = (0, marks.count)
    while first < last {
      let middle = (first + last) / 2
      if marks[middle] < range.lowerBound { first = middle + 1 } else { last = middle }
    }
    for place in marks[first...].prefix(while: { $0 < range.upperBound }) {
      unsafe buffer[place - range.lowerBound] = SurplusCovers.mark
    }
  }

  fileprivate func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    guard whence & AVSEEK_SIZE == 0 else { return Int64(size) }
    let base: Int
    switch whence & ~AVSEEK_FORCE {
    case SEEK_SET: base = 0
    case SEEK_CUR: base = position
    case SEEK_END: base = size
    default: return Int64(cav_io_error)
    }
    let (target, overflow) = base.addingReportingOverflow(Int(offset))
    guard !overflow, target >= 0 else { return Int64(cav_io_error) }
    position = target
    return Int64(target)
  }

  /// A reading context for as long as this object lives. The corresponding C function is
  /// `avio_alloc_context`.
  func makeContext() throws(DecodeFailure) -> UnsafeMutablePointer<AVIOContext> {
    guard
      let context = unsafe makeInputOutput(
        write: false, opaque: Unmanaged.passUnretained(self).toOpaque(),
        read: { opaque, buffer, count in
          guard let opaque = unsafe opaque else { return cav_io_error }
          return unsafe Unmanaged<SourceFile>.fromOpaque(opaque).takeUnretainedValue()
            .read(into: buffer, count: count)
        }, writePacket: nil,
        seek: { opaque, offset, whence in
          guard let opaque = unsafe opaque else { return Int64(cav_io_error) }
          return unsafe Unmanaged<SourceFile>.fromOpaque(opaque).takeUnretainedValue()
            .seek(offset, whence)
        })
    else { throw .outOfMemory }
    return unsafe context
  }
}

/// Bytes that libavformat reads or writes at a time.
private let bufferBytes = 64 << 10

/// A context with a buffer of its own; nil where memory is short.
func makeInputOutput(
  write: Bool, opaque: UnsafeMutableRawPointer,
  read: (
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32
  )?,
  writePacket: (
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32
  )?,
  seek: @convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64
) -> UnsafeMutablePointer<AVIOContext>? {
  guard let buffer = unsafe av_malloc(bufferBytes) else { return nil }
  let context = unsafe avio_alloc_context(
    buffer.assumingMemoryBound(to: UInt8.self), Int32(bufferBytes), write ? 1 : 0, opaque, read,
    writePacket, seek)
  if unsafe context == nil { unsafe av_free(buffer) }
  return unsafe context
}

/// Ends a context made by `makeInputOutput`, with its buffer, which libavformat may have replaced.
func freeInputOutput(_ context: UnsafeMutablePointer<AVIOContext>?) {
  guard let context = unsafe context else { return }
  unsafe av_free(context.pointee.buffer)
  var pointer: UnsafeMutablePointer<AVIOContext>? = unsafe context
  unsafe avio_context_free(&pointer)
}
