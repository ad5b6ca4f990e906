/// What publishing costs on this machine: so much for the first manifest, and so much for each that
/// is published beside it, since they share the disk's commits.
package struct PublicationCost: Sendable, Hashable {
  package var first: Duration
  package var each: Duration

  package init(first: Duration, each: Duration) {
    self.first = first
    self.each = each
  }

  /// Before anything was measured: a disk of 100 commits a second.
  static let unknown = PublicationCost(first: .milliseconds(40), each: .milliseconds(10))

  /// The time until `count` manifests are durable.
  package func time(for count: Int) -> Duration { first + each * count }
}

extension Duration {
  var inMilliseconds: Double { self / .milliseconds(1) }

  init(inMilliseconds milliseconds: Double) { self = .seconds(1) * (milliseconds / 1000) }
}
