internal import Files
internal import Glibc

/// An outbox folder in the making, `.<id>.<token>`; removed when its owner ends before it is
/// published. A lock on the folder tells that its publisher lives.
struct StagedFolder: ~Copyable {
  let name: String
  let publication: ActiveName.Publication
  let folder: Directory
  private let jobs: JobDirectory
  private var isPublished = false

  private init(
    name: String, publication: ActiveName.Publication, folder: consuming Directory,
    jobs: JobDirectory
  ) {
    self.name = name
    self.publication = publication
    self.folder = folder
    self.jobs = jobs
  }

  deinit {
    // What stays for lack of permission or space, the janitor takes away.
    if !isPublished { try? jobs.outbox.removeFolder(name) }
  }

  static func make(
    for identifier: JobIdentifier, in jobs: JobDirectory
  ) throws(SystemCallFailure) -> StagedFolder {
    let token = Token.make()
    let name = name(of: identifier, token: token)
    let folder = try jobs.outbox.makeSubdirectory(name, mode: JobDirectory.folderMode)
    guard try folder.descriptor.tryLock() else {
      throw SystemCallFailure("flock", number: EWOULDBLOCK, path: name)
    }
    let inode = try folder.descriptor.fileStatus().inode
    return StagedFolder(
      name: name, publication: .init(token: token, inode: inode), folder: folder, jobs: jobs)
  }

  /// It is others' to remove from now on: recovery needs it where the job's name is marked.
  mutating func commit() {
    isPublished = true
  }

  /// Whether a name in the outbox is that of a folder staged for this id.
  static func isName(_ name: String, of identifier: JobIdentifier) -> Bool {
    name.hasPrefix(".\(identifier.text).")
      && name.utf8.count == identifier.text.utf8.count + 2 + Token.length
  }

  static func name(of identifier: JobIdentifier, token: String) -> String {
    ".\(identifier.text).\(token)"
  }
}
