package import Files
package import Media

extension JobDirectory {
  /// Puts a payload in, as a producer does: written whole in tmp/, synced, renamed into incoming/.
  /// `name` is the payload's file name, whose stem is its id where it has none of its own; a name
  /// is made where there is none. Answers the job's id. Throws what `Payload.read` refuses.
  package func submit(
    _ bytes: [UInt8], name: String? = nil
  ) throws(SubmitFailure) -> JobIdentifier {
    let given = name.flatMap { PayloadFileName(submitted: $0) }
    let payload: Payload
    do throws(Problem) {
      payload = try Payload.read(bytes, fileExtension: given?.fileExtension)
    } catch { throw .refused(error) }
    let form = PayloadForm(of: bytes, fileExtension: given?.fileExtension)
    let named = given.flatMap { JobIdentifier(stem: $0.stem) } ?? JobIdentifier(Token.make())
    guard let identifier = payload.id == nil ? named : payload.id.flatMap({ JobIdentifier($0) })
    else {
      throw .refused(Payload.unreadable("it has no usable id"))
    }
    // A payload with an id of its own must not take the place of another that came in a file of the
    // same name; one without has its name for its id.
    let isNamedById = payload.id == nil
    let stem = isNamedById ? identifier.text : "\(identifier.text.prefix(80))-\(Token.make())"
    let made = "\(stem).\(form.fileExtension)"
    let fileName = isNamedById ? given?.text ?? made : made
    let temporary = ".\(Token.make())"
    do throws(SystemCallFailure) {
      try temporaries.writeFile(temporary, bytes, isDurable: true)
      try temporaries.rename(temporary, to: fileName, in: incoming)
      try incoming.sync()
    } catch {
      try? temporaries.remove(temporary)
      throw .directory(error)
    }
    return identifier
  }
}

/// Why a payload was not put in.
package enum SubmitFailure: Error, Sendable, Hashable {
  case refused(Problem)
  case directory(SystemCallFailure)
}

extension PayloadForm {
  /// What a file in this form is called in incoming/.
  var fileExtension: String {
    switch self {
    case .json: "json"
    case .xmlPropertyList, .binaryPropertyList: "plist"
    case .internetShortcut: "url"
    case .addressText: "txt"
    }
  }
}
