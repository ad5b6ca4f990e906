internal import Files

extension SharedCache {
  static let shards = (0..<256).map { number in
    let digits = String(number, radix: 16)
    return digits.count == 2 ? digits : "0" + digits
  }

  /// Calls `body` with each file of an area that bears a name of ours.
  func forEachFile(
    in area: ObjectName.Area, _ body: (ObjectName, FileStatus) throws(CacheFailure) -> Void
  ) throws(CacheFailure) {
    for shard in Self.shards { try forEachFile(in: area, shard: shard, body) }
  }

  func forEachFile(
    in area: ObjectName.Area, shard: String,
    _ body: (ObjectName, FileStatus) throws(CacheFailure) -> Void
  ) throws(CacheFailure) {
    for name in try names(in: area, shard: shard) {
      guard let status = try objects.status(of: name), status.isRegularFile else { continue }
      try body(name, status)
    }
  }

  private func names(
    in area: ObjectName.Area, shard: String
  ) throws(CacheFailure) -> [ObjectName] {
    var names: [ObjectName] = []
    do throws(SystemCallFailure) {
      try root.subdirectory("\(area.rawValue)/\(shard)").forEachName { fileName in
        if let name = ObjectName(fileName: fileName, area: area), name.shard == shard {
          names.append(name)
        }
        return true
      }
    } catch {
      guard error.isMissing else { throw CacheFailure(error) }
    }
    return names
  }
}
