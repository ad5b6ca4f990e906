internal import Files
internal import Media

/// What work has cost on this machine, kept in the job directory between starts. Lost or damaged, it
/// is measured anew; of several workers the last one's word stands.
package struct KeptCosts: Sendable {
  private let directory: JobDirectory

  private static let name = ".costs.json"
  private static let mostBytes = 65_536
  /// Microseconds; nothing that was measured lies outside.
  private static let plausible = 1...10_000_000

  package init(_ directory: JobDirectory) {
    self.directory = directory
  }

  /// What publication cost; nil where that is not known.
  package func readPublication() -> PublicationCost? {
    guard let publication = read()?["publication"]?.object,
      let first = publication["firstMicroseconds"]?.int, Self.plausible.contains(first),
      let each = publication["eachMicroseconds"]?.int, Self.plausible.contains(each)
    else { return nil }
    return PublicationCost(first: .microseconds(first), each: .microseconds(each))
  }

  /// What decoding cost; nil where that is not known.
  package func readDecoding() -> DecodeCosts? {
    read()?["decoding"].flatMap { DecodeCosts($0) }
  }

  package func write(_ publication: PublicationCost, _ decoding: DecodeCosts) {
    let json: JSONValue = [
      "publication": [
        "firstMicroseconds": JSONValue(Int(publication.first.inMilliseconds * 1000)),
        "eachMicroseconds": JSONValue(Int(publication.each.inMilliseconds * 1000)),
      ],
      "decoding": decoding.json,
    ]
    let temporary = ".costs.\(Token.make())"
    // They are measured anew when they cannot be kept.
    try? directory.root.writeFile(temporary, JSONWriter.write(json, pretty: true), isDurable: false)
    do throws(SystemCallFailure) {
      try directory.root.rename(temporary, to: Self.name, in: directory.root)
    } catch {
      try? directory.root.remove(temporary)
    }
  }

  private func read() -> JSONObject? {
    guard let file = try? directory.root.open(Self.name, flags: 0),
      let bytes = try? file.read(at: 0, count: Self.mostBytes)
    else { return nil }
    return (try? JSONReader.read(bytes))?.object
  }
}
