internal import CCodecShims
internal import Media

/// A borrowed libjpeg session: what its state means. The decoder owns and ends it.
@safe struct JPEGSession {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  func check(_ status: ccodecs_status) throws(DecodeFailure) {
    if status == ccodecs_ok { return }
    let message = unsafe String(cString: ccodecs_jpeg_message(handle))
    throw DecodeFailure(status, message)
  }

  /// Scans begun so far.
  var scans: Int { Int(unsafe ccodecs_jpeg_scans(handle)) }

  /// The first row of plane 0 that lacks data; nil where none does yet.
  var lossRow: Int? {
    let loss = unsafe ccodecs_jpeg_first_loss(handle)
    return loss.happened ? Int(loss.mcu_row) * mcuHeight : nil
  }

  var mcuHeight: Int { Int(unsafe ccodecs_jpeg_mcu_height(handle)) }

  /// Whether every component has had its lowest frequency.
  var isCovered: Bool { components.allSatisfy { missingBits($0, 0) >= 0 } }

  /// How exact the samples are that the scans so far give. `isScaledDown` says that there are more
  /// of them than are needed.
  func precision(isScaledDown: Bool) -> JPEGPrecision {
    JPEGPrecision(
      components.map { component in
        JPEGPrecision.Component(
          steps: (0..<64).map { Int(unsafe ccodecs_jpeg_step(handle, component, $0)) },
          missingBits: (0..<64).map { Int(missingBits(component, $0)) },
          side: Int(blockSize(component)),
          isScaledDown: isScaledDown && isDense(component))
      })
  }

  /// Bytes of the input that were looked at.
  var bytesRead: Int { Int(unsafe ccodecs_jpeg_bytes_read(handle)) }

  /// Rows that show something once the last scan has been read; nil for a picture that is whole, as
  /// one that ends with its own marker is taken to be.
  var visibleRowsAtEnd: Int? {
    guard unsafe ccodecs_jpeg_input_ended(handle) else { return nil }
    return isCovered ? .max : 0
  }

  private var components: Range<Int32> {
    let count = unsafe ccodecs_jpeg_components(handle)
    return 0..<count
  }

  private func missingBits(_ component: Int32, _ index: Int32) -> Int32 {
    unsafe ccodecs_jpeg_missing_bits(handle, component, index)
  }

  private func isDense(_ component: Int32) -> Bool {
    unsafe ccodecs_jpeg_is_dense(handle, component)
  }

  private func blockSize(_ component: Int32) -> Int32 {
    unsafe ccodecs_jpeg_block_size(handle, component)
  }
}

extension DecodeFailure {
  /// What a call through the C shims came to.
  init(_ status: ccodecs_status, _ message: String) {
    switch status {
    case ccodecs_unsupported: self = .unsupported(message)
    case ccodecs_ended: self = .truncated(message)
    case ccodecs_out_of_memory: self = .outOfMemory
    case ccodecs_input_failed: self = .inputOutput(message)
    default: self = .corrupt(message)
    }
  }
}
