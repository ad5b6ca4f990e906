internal import Download
internal import Media

extension Settings {
  /// Reads `{"images.example.com": {"maxConcurrency": 2, "timeout": "10s"}, "*": {"allowed": false}}`.
  mutating func readHosts(_ value: JSONValue) throws(SettingsFailure) {
    guard let members = value.object?.members else {
      throw SettingsFailure(message: "hosts: is no object")
    }
    for member in members {
      let place = "hosts.\(member.name)"
      guard hosts.set(try HostRule(settings: member.value, place), for: member.name) else {
        throw SettingsFailure(message: "\(place): is no host, *.host or *")
      }
    }
  }
}

extension HostRule {
  fileprivate init(settings value: JSONValue, _ place: String) throws(SettingsFailure) {
    guard let object = value.object else {
      throw SettingsFailure(message: "\(place): is no object")
    }
    try object.checkKeys(
      among: ["allowed", "maxConcurrency", "timeout", "minFreshness", "maxFreshness"], place)
    self.init()
    if let allowed = object["allowed"] {
      guard let isAllowed = allowed.bool else {
        throw SettingsFailure(message: "\(place).allowed: is no boolean")
      }
      self.isAllowed = isAllowed
    }
    if let most = object["maxConcurrency"], most != .null {
      guard let number = most.int, (1...64).contains(number) else {
        throw SettingsFailure(message: "\(place).maxConcurrency: is no number from 1 to 64")
      }
      concurrency = number
    }
    timeout = try Self.duration("timeout", of: object, place)
    leastFreshness = try Self.duration("minFreshness", of: object, place)
    mostFreshness = try Self.duration("maxFreshness", of: object, place)
    if let leastFreshness, let mostFreshness, leastFreshness > mostFreshness {
      throw SettingsFailure(message: "\(place).minFreshness: is more than maxFreshness")
    }
  }

  private static func duration(
    _ name: String, of object: JSONObject, _ place: String
  ) throws(SettingsFailure) -> Duration? {
    guard let value = object[name], value != .null else { return nil }
    guard let duration = value.string.flatMap(Duration.init(contractText:)),
      duration > .zero || name == "maxFreshness"
    else { throw SettingsFailure(message: "\(place).\(name): is no duration such as 30s or 7d") }
    return duration
  }
}
