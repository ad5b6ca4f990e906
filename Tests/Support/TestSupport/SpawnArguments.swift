internal import Files
internal import Glibc

/// A null-terminated array of C strings, as `exec` takes it; names of files may be any bytes.
@safe struct CStringList: ~Copyable {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    unsafe pointers = .allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() {
      unsafe pointers.advanced(by: index).initialize(
        to: string.withFileName { unsafe strdup($0) })
    }
    unsafe pointers.advanced(by: count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}

/// Signal settings of a child: nothing blocked and nothing ignored, whatever the test's own thread
/// and its parents do.
@safe struct SpawnAttributes: ~Copyable {
  let pointer: UnsafeMutablePointer<posix_spawnattr_t>

  init() {
    unsafe pointer = .allocate(capacity: 1)
    unsafe posix_spawnattr_init(pointer)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(pointer, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(pointer, &signals)
    unsafe posix_spawnattr_setflags(
      pointer, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  }

  deinit {
    unsafe posix_spawnattr_destroy(pointer)
    unsafe pointer.deallocate()
  }
}
