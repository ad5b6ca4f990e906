internal import Files
internal import Media

/// Why nothing was published of a payload in done/: `<name>.reason.json`. It tells which file it is,
/// since a later payload of that name may take the place.
struct WithdrawalRecord: Sendable {
  enum Reason: Sendable {
    case cancelled
    /// By a later payload of its id, delivered then; nil where that is not known any more.
    case superseded(by: Timestamp?)
  }

  let name: String
  let identifier: String
  let inode: UInt64
  let reason: Reason

  var json: JSONValue {
    var object: JSONObject = ["name": .string(FileName.shown(name)), "id": .string(identifier)]
    let now = JSONValue.string(Timestamp.now.rfc3339)
    switch reason {
    case .cancelled: object.members.append(.init(name: "cancelled", value: now))
    case .superseded(let later):
      object.members.append(.init(name: "superseded", value: now))
      object.members.append(.init(name: "by", value: JSONValue(later?.rfc3339)))
    }
    object.members.append(.init(name: "inode", value: .string(String(inode))))
    return .object(object)
  }

  /// Whether a record is about that file.
  static func isAbout(_ inode: UInt64, _ record: JSONValue) -> Bool {
    let isOfOurs = record.object?["cancelled"] != nil || record.object?["superseded"] != nil
    return isOfOurs && record.object?["inode"]?.string == String(inode)
  }
}

extension JobDirectory {
  /// Says in done/ why nothing is published of a payload that comes there next, so that it never lies
  /// there as a finished one. Answers the record's name.
  @discardableResult
  func write(_ record: WithdrawalRecord) throws(SystemCallFailure) -> String {
    let name = FailureReason.fileName(of: record.name)
    let temporary = ".\(Token.make())"
    try temporaries.writeFile(
      temporary, JSONWriter.write(record.json, pretty: true), isDurable: true)
    try temporaries.rename(temporary, to: name, in: done)
    return name
  }
}
