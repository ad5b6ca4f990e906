internal import Download
internal import Media
internal import SharedCache

/// One thing to warm. Thousands of them wait, so it holds little.
struct WarmItem: Sendable {
  enum Work: Sendable {
    /// Named by the operator: a picture, a page, a list of any kind.
    case source
    case page
    /// A feed or sitemap.
    case listing
    case picture
    /// A picture of the cache that is to stay fresh: rendered only when it has changed.
    case refresh
    /// Pictures of which the first that works counts.
    case choice(PictureChoice)
    /// Sound or film of a payload; without profiles, for the run's own.
    case media([RenditionProfile]?)
  }

  /// Normalised.
  var url: String
  var work: Work
  /// Lists that led here.
  var depth: UInt8 = 0
  /// How often its host asked to wait.
  var postponements: UInt8 = 0

  /// What the journal and the run know it by.
  var key: WarmKey {
    switch work {
    case .source: WarmKey("s \(url)")
    case .page, .listing: WarmKey("d \(url)")
    case .picture, .refresh: WarmKey("p \(url)")
    case .choice: WarmKey("c \(url)")
    case .media: WarmKey("m \(url)")
    }
  }

  var isDocument: Bool {
    switch work {
    case .source, .page, .listing: true
    case .picture, .refresh, .choice, .media: false
    }
  }

  var host: String { SourceKey(url: url).host }
}

/// Candidates as a page or payload names them, and what is left when none works.
final class PictureChoice: Sendable {
  /// The first is to be tried next.
  let candidates: [PictureCandidate]
  /// A payload's page, read when its own pictures fail.
  let page: String?
  /// Nil for the run's own.
  let profiles: [RenditionProfile]?

  init(_ candidates: [PictureCandidate], page: String? = nil, profiles: [RenditionProfile]? = nil) {
    self.candidates = candidates
    self.page = page
    self.profiles = profiles
  }

  /// The choice without its first candidate.
  var rest: PictureChoice {
    PictureChoice(Array(candidates.dropFirst()), page: page, profiles: profiles)
  }
}

/// 64 bits of a name's hash.
struct WarmKey: Sendable, Hashable {
  let bits: UInt64

  init(_ name: String) {
    bits = (ContentHash.of(name)?.bytes ?? []).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  init(bits: UInt64) {
    self.bits = bits
  }
}

extension WarmItem {
  /// The item that tries a choice's first picture; nil where none can be fetched.
  init?(_ choice: PictureChoice, depth: UInt8) {
    for (index, candidate) in choice.candidates.enumerated() {
      guard case .web(let address) = candidate.address else { continue }
      let left = PictureChoice(
        Array(choice.candidates[index...]), page: choice.page, profiles: choice.profiles)
      self.init(url: address.description, work: .choice(left), depth: depth)
      return
    }
    guard let page = choice.page else { return nil }
    self.init(url: page, work: .page, depth: depth)
  }
}
