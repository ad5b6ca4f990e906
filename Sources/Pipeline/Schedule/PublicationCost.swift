/// What publishing costs on this machine: so much for the first manifest, and so much for each that
/// is published beside it, since they share the disk's commits.
package struct PublicationCost: Sendable, Hashable {
  package var first: Duration
  package var each: Duration
  /// By how much longer it took lately at the worst, or how much later things came than they were to:
  /// what other work on the machine does to it.
  package var delay: Duration

  package init(first: Duration, each: Duration, delay: Duration = .zero) {
    self.first = first
    self.each = each
    self.delay = delay
  }

  /// Before anything was measured: a disk of 100 commits a second.
  static let unknown = PublicationCost(first: .milliseconds(40), each: .milliseconds(10))

  /// What killing and reaping a child takes: 73 ms with 1 GiB resident.
  private static let killing = Duration.milliseconds(75)
  /// What a machine delays that has enough to do.
  private static let usualDelay = Duration.milliseconds(100)
  private static let leastCarried = 4
  /// What a manifest takes of a processor, however many share a commit of the disk.
  private static let leastEach = Duration.milliseconds(1)
  /// Nothing is begun later than so long before its deadline.
  private static let least = Duration.milliseconds(50)

  /// The time until `count` manifests are durable, where nothing delays them.
  package func time(for count: Int) -> Duration { first + each * count }

  /// How long before a deadline the publication of `count` manifests must begin.
  package func latestStart(for count: Int) -> Duration {
    max(Self.least, delay * 1.5 + time(for: count) * 1.25)
  }

  /// The same of manifests whose jobs are not begun yet: twice what it takes, and no less than they
  /// take of a processor, since other work may come at any time and is felt only then. They are too
  /// many to be anything but texts where that counts.
  package func latestStartOfTexts(_ count: Int) -> Duration {
    max(Self.least, delay * 1.5 + (first + max(each, Self.leastEach) * count) * 2)
  }

  /// How many of `width` jobs are taken up at once: the fewer the later things come, since what is
  /// begun keeps the processors from what must be published. The others wait for their turn, or for
  /// their text.
  package func carried(of width: Int) -> Int {
    guard delay > Self.usualDelay else { return width }
    return min(width, max(Self.leastCarried, Int(Double(width) * (Self.usualDelay / delay))))
  }

  /// What is kept back of `remaining` for `count` publications: what they usually take and half as
  /// much again, at most half of what there is. It is at least 100 ms, and more of a longer time, since
  /// as many may come later and end before.
  package func reserve(for count: Int, of remaining: Duration) -> Duration {
    let least = min(max(.milliseconds(100), remaining / 16), .milliseconds(160))
    let usual = max(Self.killing + time(for: count) * 1.5, latestStart(for: count))
    return max(least, min(usual, remaining / 2))
  }
}

extension Duration {
  var inMilliseconds: Double { self / .milliseconds(1) }

  init(inMilliseconds milliseconds: Double) { self = .seconds(1) * (milliseconds / 1000) }
}
