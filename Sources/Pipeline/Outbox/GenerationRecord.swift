internal import Files
internal import Glibc

/// The last manifest of an id, kept outside its folder so that a consumer who takes the folder away
/// still sees generations rise: a symbolic link's target, which is replaced at one instant and
/// needs no block of its own.
struct GenerationRecord: Sendable, Hashable {
  var generation: Int
  var order: DeliveryOrder
}

extension GenerationRecord {
  fileprivate init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let generation = Int(parts[0]), let time = Int64(parts[1]),
      let inode = UInt64(parts[2])
    else { return nil }
    self.generation = generation
    order = DeliveryOrder(nanoseconds: time, inode: inode)
  }

  fileprivate var text: String { "\(generation).\(order.nanoseconds).\(order.inode)" }
}

extension JobDirectory {
  func generationRecord(
    of identifier: JobIdentifier
  ) throws(SystemCallFailure) -> GenerationRecord? {
    try generations.symbolicLinkTarget(of: identifier.text).flatMap(GenerationRecord.init)
  }

  func write(
    _ record: GenerationRecord, of identifier: JobIdentifier
  ) throws(SystemCallFailure) {
    let temporary = ".\(Token.make())"
    try generations.makeSymbolicLink(temporary, to: record.text)
    try generations.rename(temporary, to: identifier.text, in: generations)
  }
}
