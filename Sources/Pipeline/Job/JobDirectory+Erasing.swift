package import Files
internal import Glibc
internal import Media

/// What `jobs erase` removed, and what the cache may hold of it alone.
package struct ErasedJob: Sendable, Hashable {
  /// Payloads removed.
  package var payloads = 0
  /// Whether a result lay in the outbox.
  package var hadResult = false
  /// Addresses that the payloads and the manifest name: pages, pictures, media.
  package var addresses: Set<String> = []
  /// SHA-256 of the files in the outbox, in hexadecimal digits.
  package var hashes: Set<String> = []

  package init() {}
}

extension JobDirectory {
  /// Removes an id's payloads in every state, its result, what is staged for it, and the record of
  /// its generations and sources. A worker that is at it publishes nothing. The cache's part is the
  /// caller's: the answer names what to purge.
  package func erase(_ identifier: JobIdentifier) throws(SystemCallFailure) -> ErasedJob {
    var erased = ErasedJob()
    for entry in try jobs(of: identifier) {
      switch entry.state {
      case .incoming: try erase(entry.name, in: incoming, into: &erased)
      case .active: try erase(entry.name, in: active, into: &erased)
      case .done:
        try erase(entry.name, in: done, into: &erased)
        try done.remove(FailureReason.fileName(of: entry.name))
      case .failed:
        try erase(entry.name, in: failed, into: &erased)
        try failed.remove(FailureReason.fileName(of: entry.name))
      }
    }
    let noted = sources(of: identifier.text)
    erased.addresses.formUnion(noted.addresses)
    erased.hashes.formUnion(noted.hashes)
    if let manifest = try? PublishedManifest.read(identifier.text, in: outbox) {
      erased.addresses.formUnion(manifest.sourceURLs)
      erased.hashes.formUnion(manifest.hashes)
    }
    erased.hadResult = try acknowledge(identifier)
    try removeStaged(for: identifier)
    try generations.remove(identifier.text)
    try sources.remove(identifier.text)
    return erased
  }

  /// Removes a result from the outbox at one instant, and then its files; false when there is none.
  package func acknowledge(_ identifier: JobIdentifier) throws(SystemCallFailure) -> Bool {
    let aside = StagedFolder.name(of: identifier, token: Token.make())
    do throws(SystemCallFailure) {
      try outbox.rename(identifier.text, to: aside, in: outbox)
    } catch {
      if error.number == ENOENT { return false }
      throw error
    }
    try outbox.removeFolder(aside)
    return true
  }

  private func erase(
    _ name: String, in folder: borrowing Directory, into erased: inout ErasedJob
  ) throws(SystemCallFailure) {
    if let file = try? folder.open(name, flags: O_RDONLY | O_NONBLOCK),
      let size = try? file.size(), size <= Payload.mostBytes,
      let bytes = try? file.read(at: 0, count: size),
      let payload = try? Payload.read(
        bytes, fileExtension: name.split(separator: ".").last.map(String.init))
    {
      let addresses = [payload.url, payload.imageURL].compactMap { $0 }
      var resolved = JobSources()
      resolved.add(payload)
      erased.addresses.formUnion(addresses + payload.imageURLs + payload.media)
      erased.addresses.formUnion(resolved.addresses)
    }
    do throws(SystemCallFailure) {
      try folder.remove(name)
    } catch {
      // A directory that somebody put in as a payload.
      guard error.number == EISDIR else { throw error }
      try folder.removeFolder(name)
    }
    erased.payloads += 1
  }

  private func removeStaged(for identifier: JobIdentifier) throws(SystemCallFailure) {
    var names: [String] = []
    try outbox.forEachName { name in
      if StagedFolder.isName(name, of: identifier) { names.append(name) }
      return true
    }
    for name in names { try outbox.removeFolder(name) }
  }
}
