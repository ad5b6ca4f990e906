internal import Download
internal import SharedCache

/// The C libraries that the worker itself uses.
enum LibraryVersions {
  static var findings: [DoctorFinding] {
    [
      DoctorFinding(subject: "library curl", state: .ok, detail: Downloader.libraryVersion),
      DoctorFinding(subject: "library sqlite", state: .ok, detail: SharedCache.libraryVersion),
    ]
  }
}
