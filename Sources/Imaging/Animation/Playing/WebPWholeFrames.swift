internal import Glibc

/// An animated WebP with those of its chunks that lie in the file wholly: the library plays no file
/// that ends early. What is whole is mapped, else copied.
@safe struct WebPWholeFrames: ~Copyable {
  private let mapping: InputMapping
  private var copy: UnsafeMutableRawPointer?
  let count: Int

  private init(_ mapping: consuming InputMapping, count: Int) {
    self.mapping = mapping
    self.count = count
    unsafe copy = nil
  }

  deinit {
    unsafe free(copy)
  }

  static func read(_ mapping: consuming InputMapping) throws(DecodeFailure) -> WebPWholeFrames {
    let size = mapping.count
    let end = unsafe lastWholeEnd(mapping.bytes, size)
    let declared = unsafe declaredSize(mapping.bytes, size)
    var file = WebPWholeFrames(mapping, count: end)
    if end < size || declared > size { try file.shorten() }
    return file
  }

  /// Lets go of what memory the frames that were read take: a long animation would come to all of its
  /// file.
  func release() {
    mapping.release()
  }

  /// - Safety: valid while this lives, for `count` bytes.
  @unsafe var bytes: UnsafePointer<UInt8> {
    if let copy = unsafe copy {
      return unsafe UnsafePointer(copy.assumingMemoryBound(to: UInt8.self))
    }
    return unsafe mapping.bytes
  }

  /// Copies the whole chunks, and says in the copy's head how long they are (WebP Container
  /// Specification, "WebP File Header").
  private mutating func shorten() throws(DecodeFailure) {
    guard count >= 12 else { throw .truncated("the animation ends before its first frame") }
    guard let copy = unsafe malloc(count) else { throw .outOfMemory }
    unsafe copy.copyMemory(from: mapping.bytes, byteCount: count)
    for place in 0..<4 {
      unsafe copy.storeBytes(
        of: UInt8(truncatingIfNeeded: (count - 8) >> (8 * place)), toByteOffset: 4 + place,
        as: UInt8.self)
    }
    unsafe self.copy = copy
  }

  /// - Safety: `bytes` is good for `count`.
  @unsafe private static func declaredSize(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    count < 8 ? 0 : unsafe 8 + number(bytes, 4)
  }

  /// Where the last chunk ends that ends within the file.
  ///
  /// - Safety: `bytes` is good for `count`.
  @unsafe private static func lastWholeEnd(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    var end = min(12, count)
    let limit = unsafe min(count, declaredSize(bytes, count))
    while end + 8 <= limit {
      let length = unsafe number(bytes, end + 4)
      let next = end + 8 + length + length % 2
      guard next <= limit else { break }
      end = next
    }
    return end
  }

  /// - Safety: `bytes` is good for four bytes from `offset` on.
  @unsafe private static func number(_ bytes: UnsafePointer<UInt8>, _ offset: Int) -> Int {
    (0..<4).reduce(0) { unsafe $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }
}
