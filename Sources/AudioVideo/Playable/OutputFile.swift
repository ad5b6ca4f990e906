internal import CAV
internal import Glibc
internal import Imaging

/// A file inside the output descriptor, behind what was written there before.
final class OutputFile {
  let descriptor: Int32
  /// Where the file begins in the output.
  let start: Int
  /// Bytes written so far, the farthest.
  private(set) var count = 0
  private var position = 0

  /// Begins at the output's end. The corresponding C function is `lseek`.
  init(descriptor: Int32) throws(DecodeFailure) {
    start = lseek(descriptor, 0, SEEK_END)
    guard start >= 0 else { throw .inputOutput("lseek: errno \(errno)") }
    self.descriptor = descriptor
  }

  /// Where the file lies in the output.
  var range: Range<Int> { start..<start + count }

  /// Writes all bytes at the file's position.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard lseek(descriptor, start + position, SEEK_SET) >= 0 else { return false }
    var written = 0
    while written < bytes.count {
      let count = unsafe Glibc.write(
        descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    position += written
    count = max(count, position)
    return true
  }

  fileprivate func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    guard whence & AVSEEK_SIZE == 0 else { return Int64(count) }
    let base = whence & ~AVSEEK_FORCE == SEEK_SET ? 0 : position
    let (target, overflow) = base.addingReportingOverflow(Int(offset))
    guard !overflow, target >= 0 else { return Int64(cav_io_error) }
    position = target
    return Int64(target)
  }

  /// A writing context for as long as this object lives.
  func makeContext() throws(DecodeFailure) -> UnsafeMutablePointer<AVIOContext> {
    let context = unsafe makeInputOutput(
      write: true, opaque: Unmanaged.passUnretained(self).toOpaque(), read: nil,
      writePacket: { opaque, buffer, count in
        guard let opaque = unsafe opaque else { return cav_io_error }
        let file = unsafe Unmanaged<OutputFile>.fromOpaque(opaque).takeUnretainedValue()
        let bytes = unsafe UnsafeRawBufferPointer(start: buffer, count: Int(count))
        return unsafe file.write(bytes) ? count : cav_io_error
      },
      seek: { opaque, offset, whence in
        guard let opaque = unsafe opaque else { return Int64(cav_io_error) }
        return unsafe Unmanaged<OutputFile>.fromOpaque(opaque).takeUnretainedValue()
          .seek(offset, whence)
      })
    guard let context = unsafe context else { throw .outOfMemory }
    return unsafe context
  }
}

/// Reads an output file again while it is being written: what libavformat wants to move the media data
/// behind the index (`movflags=faststart`).
final class OutputReader {
  private let file: OutputFile
  private var position = 0

  init(_ file: OutputFile) {
    self.file = file
  }

  fileprivate func read(into buffer: UnsafeMutablePointer<UInt8>?, count: Int32) -> Int32 {
    let wanted = min(Int(count), file.count - position)
    guard wanted > 0 else { return cav_end_of_file }
    while true {
      let got = unsafe pread(file.descriptor, buffer, wanted, file.start + position)
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return cav_io_error }
      position += got
      return Int32(got)
    }
  }

  fileprivate func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    guard whence & AVSEEK_SIZE == 0 else { return Int64(file.count) }
    let base = whence & ~AVSEEK_FORCE == SEEK_SET ? 0 : position
    let (target, overflow) = base.addingReportingOverflow(Int(offset))
    guard !overflow, target >= 0 else { return Int64(cav_io_error) }
    position = target
    return Int64(target)
  }

  /// A reading context that owns the reader until `free`; nil where memory is short.
  static func makeContext(_ file: OutputFile) -> UnsafeMutablePointer<AVIOContext>? {
    let reader = unsafe Unmanaged.passRetained(OutputReader(file))
    let context = unsafe makeInputOutput(
      write: false, opaque: reader.toOpaque(),
      read: { opaque, buffer, count in
        guard let opaque = unsafe opaque else { return cav_io_error }
        return unsafe Unmanaged<OutputReader>.fromOpaque(opaque).takeUnretainedValue()
          .read(into: buffer, count: count)
      }, writePacket: nil,
      seek: { opaque, offset, whence in
        guard let opaque = unsafe opaque else { return Int64(cav_io_error) }
        return unsafe Unmanaged<OutputReader>.fromOpaque(opaque).takeUnretainedValue()
          .seek(offset, whence)
      })
    if unsafe context == nil { unsafe reader.release() }
    return unsafe context
  }

  static func free(_ context: UnsafeMutablePointer<AVIOContext>) {
    if let opaque = unsafe context.pointee.opaque {
      unsafe Unmanaged<OutputReader>.fromOpaque(opaque).release()
    }
    unsafe freeInputOutput(context)
  }
}
