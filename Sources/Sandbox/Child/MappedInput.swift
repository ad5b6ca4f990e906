internal import Glibc

/// A child's input, mapped read-only for as long as the value lives.
@safe
package struct MappedInput: ~Copyable {
  private let region: UnsafeRawBufferPointer

  /// Maps the whole file; nil where the kernel refuses. The corresponding C functions are `lseek`
  /// (fstat is not among a child's system calls) and `mmap`.
  package init?(_ descriptor: Int32) {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
    guard size > 0 else {
      unsafe region = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    guard let start = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0),
      unsafe start != MAP_FAILED
    else { return nil }
    unsafe region = UnsafeRawBufferPointer(start: start, count: size)
  }

  deinit {
    if let start = unsafe region.baseAddress {
      unsafe munmap(UnsafeMutableRawPointer(mutating: start), region.count)
    }
  }

  /// The mapped bytes, for the length of the call.
  package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(unsafe region.bytes)
  }
}
