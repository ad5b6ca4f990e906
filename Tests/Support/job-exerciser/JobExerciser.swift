import Files
import Glibc
import Media
import Pipeline

/// Works off a job directory with no work to do: claims, publishes a manifest with one file,
/// finishes. Tests kill it at any instant, and make its system calls fail.
///
/// `job-exerciser JOBS [--drain] [--attempts N] [--crash] [--link] [--sweep]`
/// `job-exerciser JOBS --claims N`: claims and finishes that many, and prints what it took.
@main
enum JobExerciser {
  static func main() throws {
    let arguments = CommandLine.arguments
    let directory = try JobDirectory.open(arguments[1])
    if arguments.contains("--sweep") { return try sweep(directory) }
    var settings = JobQueue.Settings()
    settings.mostAttempts = number("--attempts", in: arguments) ?? 3
    if let count = number("--claims", in: arguments) {
      return try ClaimTrial.run(directory, settings: settings, count: count)
    }
    let picture = arguments.contains("--link") ? try linkedPicture(in: directory) : copiedPicture
    var queue = try JobQueue.open(directory, settings: settings)
    while true {
      switch try queue.claimNext() {
      case .job(let job)?: try work(job, picture, crashing: arguments.contains("--crash"))
      case .settled?: continue
      case nil:
        if arguments.contains("--drain"), try !directory.hasWork() { return }
        try queue.wait(upTo: .milliseconds(50))
      }
    }
  }

  static func number(_ option: String, in arguments: [String]) -> Int? {
    arguments.firstIndex(of: option).flatMap { index in
      index + 1 < arguments.count ? Int(arguments[index + 1]) : nil
    }
  }

  /// One pass of the janitor, for whom everything is old.
  static func sweep(_ directory: JobDirectory) throws {
    var settings = Janitor.Settings()
    (settings.keepTemporaries, settings.keepStaged) = (.zero, .zero)
    _ = try Janitor(directory, settings: settings).sweep()
  }

  static func work(
    _ job: consuming ClaimedJob, _ picture: OutboxFile, crashing: Bool
  ) throws {
    switch job.task {
    case .work:
      if crashing { kill(getpid(), SIGKILL) }
      _ = try job.publish(manifest(of: job), files: [picture])
      try job.finish(keepingPayload: false)
    case .reportCrashes(let attempts):
      let problem = Problem(.intake, .workerCrashed, "its worker died \(attempts) times")
      var manifest = manifest(of: job)
      (manifest.attachments, manifest.problems) = ([], [problem])
      _ = try job.publish(manifest)
      try job.fail(problem)
    }
  }

  /// Not one page of bytes, so that a torn file would show.
  static let pictureBytes = [UInt8](repeating: 0x5A, count: 10_000)
  static let sha256 = String(repeating: "0123456789abcdef", count: 4)

  static let pictureName = "image-iphone-01234567.jpg"

  static let copiedPicture = OutboxFile(name: pictureName) {
    (folder, name) throws(Problem) in
    do throws(SystemCallFailure) {
      let file = try folder.open(name, flags: O_WRONLY | O_CREAT | O_EXCL)
      let span = pictureBytes.span
      unsafe try file.write(span.bytes)
      try file.sync()
    } catch {
      throw Problem(.store, .diskFull, "\(error)")
    }
  }

  /// The picture as a link of a file that stays, as those of the cache do.
  static func linkedPicture(in directory: JobDirectory) throws -> OutboxFile {
    if try directory.root.status(of: pictureName) == nil {
      try copiedPicture.place(directory.root, pictureName)
    }
    return OutboxFile(name: pictureName) { (folder, name) throws(Problem) in
      do throws(SystemCallFailure) {
        try directory.root.link(pictureName, to: name, in: folder)
      } catch {
        throw Problem(.store, .diskFull, "\(error)")
      }
    }
  }

  static func manifest(of job: borrowing ClaimedJob) -> Manifest {
    var rendition = Manifest.Rendition(
      profile: "iphone", role: .picture, format: .jpeg, bytes: pictureBytes.count, sha256: sha256)
    rendition.file = pictureName
    var manifest = Manifest(
      id: job.identifier.text, status: .complete, notification: .init(job.payload),
      timing: .init(arrived: job.timing.arrival, deadline: job.timing.deadline, finished: .now))
    manifest.attachments = [
      .init(
        identifier: "image", kind: .image, rung: .full, source: .init(url: job.payload.imageURL),
        renditions: [rendition])
    ]
    return manifest
  }
}
