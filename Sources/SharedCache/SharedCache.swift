internal import CSQLite
internal import Files

/// The cache directory that all processes of a host share (contract §7): immutable files named by
/// their content, an index that may be lost, and one fetch of one address at a time.
///
/// Every call but `flights` blocks on the disk for about as long as a small write takes, and on the
/// index for a second at most. Times are milliseconds since 1970.
package final class SharedCache: Sendable {
  package let directory: String
  package let flights: SingleFlight
  package let limits: CacheLimits
  let root: Directory
  let objects: ObjectStore
  let index: CacheIndex
  let room = RoomRecord()

  /// Opens a cache, made where missing. Throws `notOwner` or `unusableDirectory` (exit 3), or
  /// `diskFull`.
  package static func open(
    directory: String, limits: CacheLimits = CacheLimits()
  ) throws(CacheFailure) -> SharedCache {
    let root = try CacheLayout.open(directory)
    do throws(SystemCallFailure) {
      let flights = SingleFlight(
        locks: try root.subdirectory(CacheLayout.locks), cache: directory)
      let objects = ObjectStore(root: try Directory(opening: directory))
      let index = CacheIndex(root: try Directory(opening: directory))
      return SharedCache(
        root: root, objects: objects, index: index, flights: flights, limits: limits)
    } catch {
      throw .unusableDirectory(error.description)
    }
  }

  private init(
    root: consuming Directory, objects: ObjectStore, index: CacheIndex, flights: SingleFlight,
    limits: CacheLimits
  ) {
    self.directory = root.path
    self.root = root
    self.objects = objects
    self.index = index
    self.flights = flights
    self.limits = limits
  }
}

extension SharedCache {
  /// The corresponding C function is `sqlite3_libversion`.
  package static var libraryVersion: String { unsafe String(cString: sqlite3_libversion()) }
}
