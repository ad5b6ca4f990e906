internal import Glibc

/// Where giflib's write callback puts its bytes. A class, because the library keeps its address.
final class GIFSink {
  /// Nil keeps everything in memory.
  private let descriptor: Int32?
  /// What has not been passed on.
  private(set) var bytes: [UInt8] = []
  private(set) var passedOn = 0
  private var failure: Int32?

  private static let bufferBytes = 65_536

  /// With a descriptor, bytes are passed on to it as they come.
  init(descriptor: Int32? = nil) {
    self.descriptor = descriptor
  }

  /// Bytes that were written so far.
  var count: Int { passedOn + bytes.count }

  /// Takes bytes; whether there was room for them.
  func append(_ new: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe bytes.append(contentsOf: new)
    return descriptor == nil || bytes.count < Self.bufferBytes || passOn()
  }

  /// Passes the rest on.
  func finish() throws(DecodeFailure) {
    guard descriptor != nil, !passOn() else { return }
    throw .inputOutput("write: errno \(failure ?? 0)")
  }

  /// The corresponding C function is `write`.
  private func passOn() -> Bool {
    guard let descriptor else { return true }
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        failure = errno
        return false
      }
      written += count
      passedOn += count
    }
    bytes.removeAll(keepingCapacity: true)
    return true
  }
}
