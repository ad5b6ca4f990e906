internal import Glibc

/// Tells of names that appear in directories. It may lose some under load, so that a slow look at
/// the directory itself must stand behind it.
package struct DirectoryWatch: ~Copyable, Sendable {
  /// What a look at the watch found.
  package struct News: Sendable {
    /// Names that were renamed in: whole files, when producers keep to the rules. Oldest first.
    package var arrived: [String] = []
    /// Names that were created, linked, or written to in place.
    package var touched: [String] = []
    /// Whether the kernel dropped events: the directory must be read anew.
    package var isIncomplete = false
    /// Whether the directory, or a folder beside it, may have lost its place to another or to none.
    package var isDisplaced = false
  }

  private let descriptor: Descriptor
  /// The watch of the directory that holds the one whose names are told of; nil where it is not
  /// watched.
  private let parent: Int32?

  private init(descriptor: consuming Descriptor, parent: Int32?) {
    self.descriptor = descriptor
    self.parent = parent
  }

  /// Watches a directory for names that come, and for files that are closed after writing.
  /// The corresponding C functions are `inotify_init1` and `inotify_add_watch`.
  package static func watch(
    _ directory: borrowing Directory
  ) throws(SystemCallFailure) -> DirectoryWatch {
    let number = try retryingOnInterrupt("inotify_init1") {
      inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    }
    let descriptor = Descriptor(adopting: number)
    try add(directory, IN_MOVED_TO | IN_CLOSE_WRITE | IN_CREATE | IN_MOVE_SELF, to: descriptor)
    return DirectoryWatch(descriptor: descriptor, parent: nil)
  }

  /// The same, telling as well when folders leave the directory that holds it, or are put in there. The
  /// end of a directory that is open is announced by its parent alone.
  package static func watch(
    _ directory: borrowing Directory, in parent: borrowing Directory
  ) throws(SystemCallFailure) -> DirectoryWatch {
    let watch = try watch(directory)
    let number = try add(
      parent, IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF,
      to: watch.descriptor)
    return DirectoryWatch(descriptor: watch.descriptor, parent: number)
  }

  @discardableResult
  private static func add(
    _ directory: borrowing Directory, _ mask: Int32, to descriptor: borrowing Descriptor
  ) throws(SystemCallFailure) -> Int32 {
    let number = descriptor.number
    // By the open descriptor's own name, so that a renamed parent does not matter.
    let path = "/proc/self/fd/\(directory.descriptor.number)"
    return try retryingOnInterrupt("inotify_add_watch", path: directory.path) {
      unsafe inotify_add_watch(number, path, UInt32(mask))
    }
  }

  /// Waits until there is news, at most `milliseconds`. The corresponding C function is `poll`.
  package borrowing func wait(milliseconds: Int32) throws(SystemCallFailure) {
    try wait(milliseconds: milliseconds, or: -1)
  }

  /// The same, or until another descriptor is readable.
  package borrowing func wait(
    milliseconds: Int32, or other: Int32
  ) throws(SystemCallFailure) {
    var polls: [2 of pollfd] = [
      pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: other, events: Int16(POLLIN), revents: 0),
    ]
    var span = polls.mutableSpan
    let result = unsafe span.withUnsafeMutableBufferPointer { polls in
      unsafe Glibc.poll(polls.baseAddress, 2, milliseconds)
    }
    if result == -1, errno != EINTR { throw SystemCallFailure("poll") }
  }

  /// The descriptor to poll together with others; readable when there is news.
  package var number: Int32 { descriptor.number }

  /// What has happened since the last look, without waiting.
  package borrowing func news() throws(SystemCallFailure) -> News {
    let number = descriptor.number
    var news = News()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count: Int
      do {
        count = try retryingOnInterrupt("read") {
          unsafe buffer.withUnsafeMutableBytes { unsafe read(number, $0.baseAddress, $0.count) }
        }
      } catch  where error.number == EAGAIN {
        return news
      }
      guard count > 0 else { return news }
      news.add(buffer[..<count], parent: parent)
    }
  }
}

extension DirectoryWatch.News {
  /// Takes in what `read` gave: `struct inotify_event` is four 32-bit numbers (watch, mask, cookie,
  /// length), then the name in so many bytes, padded with zeros.
  fileprivate mutating func add(_ bytes: ArraySlice<UInt8>, parent: Int32?) {
    var rest = bytes
    while rest.count >= 16 {
      let start = rest.startIndex
      let mask = Self.number(rest[(start + 4)...])
      let length = Int(Self.number(rest[(start + 12)...]))
      guard length <= rest.count - 16 else { return }
      if mask & UInt32(IN_Q_OVERFLOW) != 0 { isIncomplete = true }
      let isOfParent = parent == Int32(bitPattern: Self.number(rest[start...]))
      if mask & Self.ofItself != 0 || (isOfParent && mask & Self.isFolder != 0) {
        isDisplaced = true
      }
      let name = rest[(start + 16)..<(start + 16 + length)].prefix { $0 != 0 }
      let text = FileName.text(Array(name))
      if isOfParent {
        // Its names are no payloads.
      } else if mask & UInt32(IN_MOVED_TO) != 0 {
        arrived.append(text)
      } else if !text.isEmpty {
        touched.append(text)
      }
      rest = rest[(start + 16 + length)...]
    }
  }

  private static let ofItself = UInt32(IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT)
  private static let isFolder = UInt32(IN_ISDIR)

  /// In the machine's own order, which is little-endian wherever we run.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
