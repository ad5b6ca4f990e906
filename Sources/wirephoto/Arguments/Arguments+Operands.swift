import Files
import Pipeline

extension Arguments {
  /// The first operand as one of a command's verbs.
  mutating func popVerb<Verb: RawRepresentable & CaseIterable>(
    _ type: Verb.Type, of command: String
  ) throws(UsageError) -> Verb where Verb.RawValue == String {
    let known = Verb.allCases.map(\.rawValue).joined(separator: ", ")
    guard let word = popOperand() else { throw UsageError("\(command): needs one of \(known)") }
    guard let verb = Verb(rawValue: word) else {
      throw UsageError("\(command): '\(word)' is none of \(known)")
    }
    return verb
  }

  /// The job directory: the first operand that is a directory, else WIREPHOTO_JOBS.
  mutating func popJobs(_ console: Console) throws(UsageError) -> String {
    if let first = operands.first, first != "-", FileKind.isFolder(first) {
      return popOperand() ?? first
    }
    if let jobs = console.environment["WIREPHOTO_JOBS"], !jobs.isEmpty { return jobs }
    // A missing directory is told as such when it is opened.
    guard let first = popOperand() else { throw UsageError("JOBS: is missing") }
    return first
  }

  /// The same, opened.
  mutating func popJobDirectory(_ console: Console) throws -> JobDirectory {
    let path = try popJobs(console)
    guard FileKind.isFolder(path) else {
      throw EnvironmentError(
        "job directory \(path): there is no such directory")
    }
    // One that is empty has no jobs yet; any other directory is not to get our folders.
    guard JobDirectory.isLikely(path) else {
      throw EnvironmentError("job directory \(path): it is none: no incoming/ among other things")
    }
    do throws(SystemCallFailure) {
      return try JobDirectory.open(path)
    } catch {
      throw EnvironmentError("job directory \(path): \(error)")
    }
  }

  /// The file that an option names, which must be there.
  func existingFile(_ option: Option<String?>) throws(UsageError) -> String? {
    guard let path = self[option] else { return nil }
    guard FileKind.isThere(path) else {
      throw UsageError("\(option.name): bad value '\(path)' (there is no such file)")
    }
    return path
  }

  /// The operands that are left, as job ids; they may be given as they were or as folders are named.
  func identifiers() throws(UsageError) -> [JobIdentifier] {
    var identifiers: [JobIdentifier] = []
    for operand in operands {
      guard let identifier = JobIdentifier(encoded: operand) ?? JobIdentifier(operand) else {
        throw UsageError("'\(operand)': is no job id")
      }
      identifiers.append(identifier)
    }
    return identifiers
  }
}
