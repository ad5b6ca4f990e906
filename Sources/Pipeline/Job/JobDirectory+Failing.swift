internal import Files
internal import Glibc
package import Media

/// Why a payload lies in failed/: `<name>.reason.json`.
package struct FailureReason: Sendable, Hashable {
  package static let suffix = ".reason.json"

  /// The name it had in incoming/.
  package var name: String
  /// Nil where not even an id could be told.
  package var identifier: String?
  package var attempts: Int
  package var arrived: Timestamp?
  package var failed: Timestamp
  package var problem: Problem

  /// The reason's name beside a payload's, within the 255 bytes that a name may have.
  static func fileName(of payloadName: String) -> String {
    String(decoding: payloadName.utf8.prefix(240), as: UTF8.self) + suffix
  }

  var json: JSONValue {
    [
      "name": .string(name), "id": JSONValue(identifier), "attempts": JSONValue(attempts),
      "arrived": JSONValue(arrived?.rfc3339), "failed": .string(failed.rfc3339),
      "problem": problem.json,
    ]
  }
}

extension JobDirectory {
  /// Moves a claimed payload to failed/.
  func bury(
    _ lease: borrowing Lease, identifier: JobIdentifier?, problem: Problem
  ) throws(SystemCallFailure) {
    // The attempt that tells of crashes is none of the crashed ones.
    let attempts = lease.name.attempt - (problem.code == .workerCrashed ? 1 : 0)
    let reason = FailureReason(
      name: lease.name.payloadName, identifier: identifier?.text, attempts: attempts,
      arrived: lease.name.arrival, failed: .now, problem: problem)
    try bury(lease.name.text, in: active, reason, delivered: lease.name.delivered)
  }

  /// Moves to failed/ what cannot even be opened in incoming/.
  func bury(_ name: PayloadFileName, because message: String) throws(SystemCallFailure) {
    let problem = Payload.unreadable(message)
    let reason = FailureReason(
      name: name.text, identifier: JobIdentifier(stem: name.stem)?.text, attempts: 0, failed: .now,
      problem: problem)
    try bury(name.text, in: incoming, reason, delivered: reason.failed.nanoseconds)
  }

  /// The reason comes first, so that no payload lies there without one. A name that is taken in
  /// failed/ gets the time of delivery before its extension: nothing there is overwritten.
  private func bury(
    _ name: String, in folder: borrowing Directory, _ reason: FailureReason, delivered: Int64
  ) throws(SystemCallFailure) {
    var newName = reason.name
    if try failed.status(of: newName) != nil, let parts = PayloadFileName(newName) {
      newName = "\(parts.stem.prefix(60)).\(delivered).\(parts.fileExtension)"
    }
    let reasonName = FailureReason.fileName(of: newName)
    let temporary = ".\(Token.make())"
    do throws(SystemCallFailure) {
      try temporaries.writeFile(
        temporary, JSONWriter.write(reason.json, pretty: true), isDurable: true)
      try temporaries.rename(temporary, to: reasonName, in: failed)
    } catch {
      try? temporaries.remove(temporary)
      throw error
    }
    do throws(SystemCallFailure) {
      try folder.rename(name, to: newName, in: failed)
    } catch {
      try failed.remove(reasonName)
      if error.number != ENOENT { throw error }
    }
    try failed.sync()
  }
}
