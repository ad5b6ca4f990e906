internal import Download
internal import Files
internal import Glibc
internal import Media

/// What a job's results came from: kept apart from payload and outbox, which others empty, so that
/// `jobs erase` knows what is the job's alone.
package struct JobSources: Sendable, Hashable {
  /// Addresses as they are asked for: pages, pictures, media.
  package var addresses: Set<String> = []
  /// SHA-256 of published files, in hexadecimal digits.
  package var hashes: Set<String> = []

  package init() {}

  /// The most that is noted at a time, in bytes: what a page names is foreign.
  private static let mostBytes = 65_536

  /// What a manifest tells.
  mutating func add(_ manifest: Manifest) {
    for attachment in manifest.attachments {
      add([attachment.source.url, attachment.source.finalURL])
      hashes.formUnion(attachment.renditions.compactMap(\.sha256))
    }
  }

  /// What a payload names, and what that means on its page.
  mutating func add(_ payload: Payload) {
    let page = payload.pageAddress.flatMap { WebAddress($0) }
    add([page?.description])
    for text in [payload.imageURL].compactMap({ $0 }) + payload.imageURLs + payload.media {
      if case .web(let address) = ResolveStage.address(text, page: page) {
        add([address.description])
      }
    }
  }

  /// Whatever was tried of them.
  mutating func add(_ candidates: [PictureCandidate]) {
    for candidate in candidates {
      if case .web(let address) = candidate.address { add([address.description]) }
    }
  }

  /// Data in an address are known by what was made of them.
  mutating func add(_ addresses: [String?]) {
    self.addresses.formUnion(addresses.compactMap { $0 }.filter { !DataURL.isOne($0) })
  }

  mutating func formUnion(_ other: JobSources) {
    addresses.formUnion(other.addresses)
    hashes.formUnion(other.hashes)
  }

  fileprivate var lines: [UInt8] {
    var lines: [UInt8] = []
    for line in hashes.sorted() + addresses.sorted()
    where line.utf8.count + lines.count < Self.mostBytes && !line.utf8.contains(0x0A) {
      lines += line.utf8 + [0x0A]
    }
    return lines
  }

  fileprivate init(lines: [UInt8]) {
    for line in lines.split(separator: 0x0A) {
      let text = String(decoding: line, as: UTF8.self)
      if text.contains(":") { addresses.insert(text) } else { hashes.insert(text) }
    }
  }
}

extension JobDirectory {
  /// The most that is kept of one id, in bytes; beyond it begins anew.
  private static let mostSourceBytes = 1_000_000

  /// Adds to what is known of an id's sources. Not durable, and nothing waits for it: a loss costs
  /// that a later erasure leaves what it does not know of.
  func note(_ noted: JobSources, of identifier: JobIdentifier) {
    let lines = noted.lines
    let size = (try? sources.status(of: identifier.text))??.size ?? 0
    let start = size > Self.mostSourceBytes ? O_TRUNC : O_APPEND
    guard !lines.isEmpty,
      let file = try? sources.open(
        identifier.text, flags: O_WRONLY | O_CREAT | O_NOFOLLOW | start, mode: Self.fileMode)
    else { return }
    try? file.write(lines)
  }

  /// What is known of an id's sources.
  func sources(of name: String) -> JobSources {
    guard let file = try? sources.open(name, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
      let size = try? file.size(), size <= 2 * Self.mostSourceBytes,
      let lines = try? file.read(at: 0, count: size)
    else { return JobSources() }
    return JobSources(lines: lines)
  }

  /// Those of `wanted` that some job's results came from as well, by what is noted and by what lies
  /// in the outbox.
  func shared(_ wanted: JobSources) throws(SystemCallFailure) -> JobSources {
    var shared = JobSources()
    try sources.forEachName { name in
      if !name.hasPrefix(".") { shared.formUnion(sources(of: name).intersection(wanted)) }
      return true
    }
    try outbox.forEachName { name in
      guard !name.hasPrefix("."), let manifest = try? PublishedManifest.read(name, in: outbox)
      else { return true }
      var known = JobSources()
      known.add(manifest.sourceURLs)
      known.hashes.formUnion(manifest.hashes)
      shared.formUnion(known.intersection(wanted))
      return true
    }
    return shared
  }
}

extension JobSources {
  fileprivate func intersection(_ other: JobSources) -> JobSources {
    var both = JobSources()
    both.addresses = addresses.intersection(other.addresses)
    both.hashes = hashes.intersection(other.hashes)
    return both
  }
}
