internal import CHEIF

/// Feeds libheif from a file, through its reader callbacks.
///
/// libheif reads box fields one by one: a window saves it a system call for each.
@safe
final class LibraryReader {
  private static let windowSize = 16_384

  private let file: InputFile
  private var position = 0
  private var window: [UInt8] = []
  private var windowStart = 0
  /// The callbacks' table, at an address that outlives every use of the context.
  private let table: UnsafeMutablePointer<heif_reader>

  init(_ file: InputFile) {
    self.file = file
    unsafe table = .allocate(capacity: 1)
    unsafe table.initialize(
      to: heif_reader(
        reader_api_version: 1,
        get_position: { unsafe Int64(LibraryReader.of($0)?.position ?? -1) },
        read: { unsafe LibraryReader.of($2)?.read($0, $1) ?? -1 },
        seek: { unsafe LibraryReader.of($1)?.seek(to: $0) ?? -1 },
        wait_for_file_size: {
          unsafe Int($0) <= LibraryReader.of($1)?.file.size ?? 0
            ? heif_reader_grow_status_size_reached : heif_reader_grow_status_size_beyond_eof
        }))
  }

  deinit {
    unsafe table.deallocate()
  }

  /// Lets `context` read the file's boxes. The reader has to outlive the context. The corresponding
  /// C function is `heif_context_read_from_reader`.
  func open(_ context: OpaquePointer) -> heif_error {
    unsafe heif_context_read_from_reader(
      context, table, Unmanaged.passUnretained(self).toOpaque(), nil)
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> LibraryReader? {
    unsafe pointer.map { unsafe Unmanaged<LibraryReader>.fromOpaque($0).takeUnretainedValue() }
  }

  private func seek(to position: Int64) -> Int32 {
    guard 0...file.size ~= Int(position) else { return -1 }
    self.position = Int(position)
    return 0
  }

  private func read(_ target: UnsafeMutableRawPointer?, _ count: Int) -> Int32 {
    guard count <= file.size - position else { return -1 }
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: target, count: count)
    let isRead =
      count < Self.windowSize
      ? unsafe readFromWindow(buffer) : unsafe file.read(into: buffer, at: position) == count
    guard isRead else { return -1 }
    position += count
    return 0
  }

  private func readFromWindow(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    let end = position + buffer.count
    if position < windowStart || end > windowStart + window.count {
      let range = position..<min(position + Self.windowSize, file.size)
      guard let bytes = try? file.bytes(range) else { return false }
      (window, windowStart) = (bytes, position)
    }
    unsafe buffer.copyBytes(from: window[position - windowStart..<end - windowStart])
    return true
  }
}
