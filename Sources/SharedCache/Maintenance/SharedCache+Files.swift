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

  /// Names in an area that are neither a shard nor an object in its own.
  func foreignCount(in area: ObjectName.Area) throws(CacheFailure) -> Int {
    var count = 0
    let known = Set(Self.shards)
    do throws(SystemCallFailure) {
      let folder = try root.subdirectory(area.rawValue)
      try folder.forEachName { shard in
        guard known.contains(shard), let objects = try? folder.subdirectory(shard) else {
          count += 1
          return true
        }
        try? objects.forEachName { name in
          if ObjectName(fileName: name, area: area)?.shard != shard { count += 1 }
          return true
        }
        return true
      }
    } catch {
      guard error.isMissing else { throw CacheFailure(error) }
    }
    return count
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
