import Files
import Glibc
import Media
import Sandbox
import TestSupport

/// A supervisor whose children of every family are the hostile double.
final class HostileChildren: Sendable {
  let supervisor: ChildSupervisor
  /// The executables' folder, which is the beginning of every child's command line.
  let folder: String
  private let directory: TemporaryDirectory

  /// `marker` becomes part of the executables' path, by which the double knows what to do at its
  /// start.
  init(
    marker: String = "honest", waiting: Int = 1, mode: SandboxMode = .required,
    maxChildren: Int = 32
  ) throws {
    directory = try TemporaryDirectory()
    folder = try directory.makeFolder(marker)
    let program = try Project.program("wirephoto-hostile-child")
    for family in ChildFamily.allCases {
      let link = "\(folder)/\(family.executableName)"
      guard unsafe symlink(program, link) == 0 else {
        throw SystemCallFailure("symlink", path: link)
      }
    }
    supervisor = try ChildSupervisor(
      ChildConfiguration(
        directories: [folder], mode: mode,
        waiting: [.image: waiting, .heif: waiting, .av: waiting, .page: waiting],
        maxChildren: maxChildren))
  }

  /// Has a child do what `behaviour` names; the outcome as a value.
  func run(
    _ behaviour: String, family: ChildFamily = .image, input: String = "",
    limits: ChildLimits? = nil, deadline: Duration = .seconds(20)
  ) async throws -> Result<ChildResult, ChildFailure> {
    let file = try unsafe MemoryFile.sealed("input", holding: Array(input.utf8).span.bytes)
    do throws(ChildFailure) {
      return .success(
        try await supervisor.run(
          family, request: Array(behaviour.utf8), input: file, limits: limits,
          deadline: .after(deadline)))
    } catch {
      return .failure(error)
    }
  }

  /// The failure that a behaviour ends in; nil where it gave an answer.
  func failure(
    _ behaviour: String, family: ChildFamily = .image, limits: ChildLimits? = nil,
    deadline: Duration = .seconds(20)
  ) async throws -> ChildFailure? {
    switch try await run(behaviour, family: family, limits: limits, deadline: deadline) {
    case .success: nil
    case .failure(let failure): failure
    }
  }

  /// Returns when no child is on its way to the next stage.
  func settle() async throws {
    while true {
      let census = await supervisor.census()
      if census.starting == 0 && census.working == 0 && census.ending == 0 { return }
      await Task.yield()
    }
  }
}

/// The corresponding C function is `chmod`.
func chmodExecutable(_ path: String) {
  unsafe chmod(path, 0o755)
}
