internal import CAV
internal import Imaging

/// One coded frame, or a few of sound.
@safe struct Packet: ~Copyable {
  let pointer: UnsafeMutablePointer<AVPacket>

  private init(adopting pointer: UnsafeMutablePointer<AVPacket>) {
    unsafe self.pointer = pointer
  }

  /// The corresponding C function is `av_packet_alloc`.
  static func allocate() throws(DecodeFailure) -> Packet {
    guard let pointer = unsafe av_packet_alloc() else { throw .outOfMemory }
    return unsafe Packet(adopting: pointer)
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVPacket>? = unsafe pointer
    unsafe av_packet_free(&pointer)
  }

  var streamIndex: Int { unsafe Int(pointer.pointee.stream_index) }
  var isKey: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
  /// Whether the container noticed that bytes are missing.
  var isDamaged: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }

  /// Where texts lie in its bytes.
  func places(of texts: SupplementalTexts) -> [Int] {
    let count = unsafe max(0, Int(pointer.pointee.size))
    return unsafe texts.places(
      in: UnsafeBufferPointer(start: pointer.pointee.data, count: count).span)
  }

  /// Overwrites some of its bytes. The corresponding C function is `av_packet_make_writable`.
  func overwrite(_ places: [Int], with byte: UInt8) throws(DecodeFailure) {
    try DecodeFailure.check(unsafe av_packet_make_writable(pointer), "a packet")
    let count = unsafe Int(pointer.pointee.size)
    for place in places where (0..<count).contains(place) {
      unsafe pointer.pointee.data[place] = byte
    }
  }

  /// Lets go of the data, so that the packet can be filled anew.
  func clear() {
    unsafe av_packet_unref(pointer)
  }
}
