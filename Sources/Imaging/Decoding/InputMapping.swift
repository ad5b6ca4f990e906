internal import Glibc

/// A whole input mapped read-only, for a library that wants all of it at once. Its pages belong to
/// the file; a private copy would double the memory.
@safe struct InputMapping: ~Copyable {
  let count: Int
  private let base: UnsafeMutableRawPointer

  private init(count: Int, adopting base: UnsafeMutableRawPointer) {
    self.count = count
    unsafe self.base = base
  }

  deinit {
    unsafe munmap(base, count)
  }

  /// The corresponding C function is `mmap`.
  static func map(_ input: Int32) throws(DecodeFailure) -> InputMapping {
    let size = try InputReader(input).size
    guard size > 0 else { throw .truncated("the file is empty") }
    guard let base = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, input, 0),
      unsafe base != MAP_FAILED
    else { throw errno == ENOMEM ? .outOfMemory : .inputOutput("mmap: errno \(errno)") }
    return unsafe InputMapping(count: size, adopting: base)
  }

  /// Lets go of the pages that were read: they come back out of the file when they are read again. The
  /// corresponding C function is `madvise`.
  func release() {
    unsafe madvise(base, count, MADV_DONTNEED)
  }

  /// - Safety: valid while the mapping lives, for `count` bytes.
  @unsafe var bytes: UnsafePointer<UInt8> {
    unsafe UnsafePointer(base.assumingMemoryBound(to: UInt8.self))
  }
}
