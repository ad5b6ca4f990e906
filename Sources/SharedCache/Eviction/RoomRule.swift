/// What a publication may do to the size of the cache.
package enum RoomRule: Sendable, Hashable {
  /// Kept only where `--cache-size` holds with it.
  case withinLimits
  /// Kept above the size too, since phones will fetch it (`--keep-published`).
  case aboveSize
}
