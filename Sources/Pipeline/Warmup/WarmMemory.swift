internal import Download
internal import Files
internal import Media
internal import SharedCache

/// What warm-ups of a cache remember of addresses, for those who have them forgotten. Journals hold
/// hashes and marks alone, and go with the run.
struct WarmMemory: Sendable {
  let cache: String

  /// Forgets a document; one that names the address among others stays, since it is another's.
  func forget(url: String) {
    documents?.remove(url)
  }

  /// Forgets the documents of a host, and that it asked to be left alone.
  func forget(host: String) {
    documents?.removeAll { WebAddress($0)?.host == host }
    guard let folder else { return }
    var pauses = folder.savedPauses()
    if pauses.removeValue(forKey: host) != nil { folder.savePauses(pauses) }
  }

  func forgetAll() {
    documents?.removeAll { _ in true }
    folder?.pruneJournals(now: .max)
    folder?.savePauses([:])
  }

  /// Nil where no warm-up has been.
  private var folder: WarmFolder? { WarmFolder.existing(cache: cache) }

  private var documents: WarmDocuments? {
    guard let folder, let documents = try? folder.folder.subdirectory(WarmFolder.documents) else {
      return nil
    }
    return WarmDocuments(documents)
  }
}
