/// This host's addresses as of a short time ago: they change seldom, and are asked for at each
/// connection.
final class OwnAddresses {
  private var known: Set<IPAddress> = []
  private var expiry: ContinuousClock.Instant?

  static let lifetime = Duration.seconds(5)

  var current: Set<IPAddress> {
    let now = ContinuousClock.now
    if let expiry, now < expiry { return known }
    known = HostAddresses.current()
    expiry = now.advanced(by: Self.lifetime)
    return known
  }
}
