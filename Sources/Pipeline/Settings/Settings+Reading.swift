internal import Files
internal import Glibc
internal import Media

extension Settings {
  /// Where settings are when nobody says (contract §7), after the cache's own.
  static let systemPath = "/etc/wirephoto/settings.json"
  private static let mostBytes = 1_000_000

  /// Reads `path` where one is given, which must exist; else the cache's own, else the system's,
  /// else none.
  static func load(_ path: String?, cache: String?) throws(SettingsFailure) -> Settings {
    if let path {
      guard let bytes = try read(path) else {
        throw SettingsFailure(message: "settings \(path): there is no such file")
      }
      return try parsed(bytes, path: path)
    }
    for candidate in [cache.map { "\($0)/settings.json" }, systemPath].compactMap({ $0 }) {
      if let bytes = try read(candidate) { return try parsed(bytes, path: candidate) }
    }
    return Settings()
  }

  /// Nil where there is no such file.
  private static func read(_ path: String) throws(SettingsFailure) -> [UInt8]? {
    do throws(SystemCallFailure) {
      let file = try Descriptor.open(path, flags: O_RDONLY)
      guard let bytes = try file.readToEnd(limit: mostBytes) else {
        throw SystemCallFailure("read", number: EFBIG, path: path)
      }
      return bytes
    } catch {
      if error.number == ENOENT { return nil }
      throw SettingsFailure(message: "settings: \(error)")
    }
  }

  private static func parsed(
    _ bytes: [UInt8], path: String
  ) throws(SettingsFailure) -> Settings {
    do throws(SettingsFailure) {
      return try Settings(reading: bytes)
    } catch {
      throw SettingsFailure(message: "settings \(path): \(error.message)")
    }
  }

  /// Reads a JSON object; a key that is unknown or of a wrong kind is a failure that names it:
  /// a typo must not leave out a rule in silence.
  package init(reading bytes: [UInt8]) throws(SettingsFailure) {
    let value: JSONValue
    do throws(JSONFailure) {
      value = try JSONReader.read(bytes)
    } catch {
      throw SettingsFailure(message: "\(error)")
    }
    guard let root = value.object else { throw SettingsFailure(message: "is no object") }
    // Editors look for `$schema`.
    try root.checkKeys(among: ["profiles", "categories", "hosts", "$schema"], "")
    if let profiles = root["profiles"] {
      guard let members = profiles.object?.members else {
        throw SettingsFailure(message: "profiles: is no object")
      }
      for member in members {
        self.profiles.append(try RenditionProfile(settings: member.value, name: member.name))
      }
    }
    if let categories = root["categories"] {
      guard let elements = categories.array else {
        throw SettingsFailure(message: "categories: is no array")
      }
      for element in elements { self.categories.append(try NotificationCategory(element)) }
    }
    if let hosts = root["hosts"] { try readHosts(hosts) }
  }
}

extension RenditionProfile {
  /// Reads `{"box": "600x315@2", "fit": "cover", "stillBudget": "300kB", "animatedBudget": null}`.
  fileprivate init(settings value: JSONValue, name: String) throws(SettingsFailure) {
    let place = "profiles.\(name)"
    guard let object = value.object else {
      throw SettingsFailure(message: "\(place): is no object")
    }
    let unknown = object.unknownKey(among: ["box", "fit", "stillBudget", "animatedBudget"])
    guard let given = object["box"] else {
      let hint = unknown.map { "; unknown key '\($0)'" } ?? ""
      throw SettingsFailure(message: "\(place): box is missing\(hint)")
    }
    if let unknown { throw SettingsFailure(message: "\(place): unknown key '\(unknown)'") }
    guard let box = given.string.flatMap(PixelSize.init(contractText:)) else {
      throw SettingsFailure(message: "\(place).box: is no WxH or WxH@S")
    }
    var fit = Fit.contain
    if let text = object["fit"] {
      guard let known = text.string.flatMap(Fit.init(rawValue:)) else {
        throw SettingsFailure(message: "\(place).fit: is neither contain nor cover")
      }
      fit = known
    }
    self.init(
      name: name, box: box, fit: fit,
      stillBudget: try Self.budget(object["stillBudget"], "\(place).stillBudget")
        ?? Self.iphone.stillBudget,
      animatedBudget: try Self.budget(object["animatedBudget"], "\(place).animatedBudget"))
  }

  /// Bytes as a number, or a size as text; nil where there is none.
  private static func budget(
    _ value: JSONValue?, _ place: String
  ) throws(SettingsFailure) -> Int? {
    guard let value, value != .null else { return nil }
    guard let bytes = value.int ?? value.string.flatMap(ByteCount.parse), bytes > 0 else {
      throw SettingsFailure(message: "\(place): is no size")
    }
    return bytes
  }
}

extension NotificationCategory {
  private static let flags = ["destructive", "foreground", "authenticationRequired"]

  /// Reads `{"identifier": "article", "actions": [{"identifier": "save", "title": "Save"}]}`.
  fileprivate init(_ value: JSONValue) throws(SettingsFailure) {
    guard let object = value.object, let identifier = object["identifier"]?.string,
      !identifier.isEmpty
    else { throw SettingsFailure(message: "categories: one has no identifier") }
    try object.checkKeys(among: ["identifier", "actions"], "categories.\(identifier)")
    self.identifier = identifier
    actions = []
    guard let listed = object["actions"] else { return }
    guard let elements = listed.array else {
      throw SettingsFailure(message: "categories.\(identifier).actions: is no array")
    }
    for element in elements { actions.append(try Self.action(element, of: identifier)) }
  }

  /// An action with every key, as the manifest shows it.
  private static func action(
    _ value: JSONValue, of category: String
  ) throws(SettingsFailure) -> JSONValue {
    guard let object = value.object, let identifier = object["identifier"]?.string,
      let title = object["title"]?.string, !identifier.isEmpty, !title.isEmpty
    else {
      throw SettingsFailure(message: "categories.\(category): an action lacks identifier or title")
    }
    try object.checkKeys(
      among: flags + ["identifier", "title", "textInput"], "categories.\(category).\(identifier)")
    var action: JSONObject = ["identifier": .string(identifier), "title": .string(title)]
    for name in flags {
      let value = object[name] ?? false
      guard value.bool != nil else {
        throw SettingsFailure(
          message: "categories.\(category).\(identifier).\(name): is no boolean")
      }
      action.members.append(.init(name: name, value: value))
    }
    action.members.append(
      .init(
        name: "textInput", value: try textInput(object["textInput"], "\(category).\(identifier)")))
    return .object(action)
  }

  private static func textInput(
    _ value: JSONValue?, _ place: String
  ) throws(SettingsFailure) -> JSONValue {
    guard let value, value != .null else { return .null }
    guard let object = value.object else {
      throw SettingsFailure(message: "categories.\(place).textInput: is no object")
    }
    let names = ["buttonTitle", "placeholder"]
    try object.checkKeys(among: names, "categories.\(place).textInput")
    var input = JSONObject()
    for name in names {
      let text = object[name] ?? .null
      guard text == .null || text.string != nil else {
        throw SettingsFailure(message: "categories.\(place).textInput.\(name): is no text")
      }
      input.members.append(.init(name: name, value: text))
    }
    return .object(input)
  }
}

extension JSONObject {
  /// The first key that is none of `known`.
  fileprivate func unknownKey(among known: [String]) -> String? {
    members.first { !known.contains($0.name) }?.name
  }

  /// Throws for a key that is none of `known`; `place` is the object's own, empty for the whole.
  func checkKeys(among known: [String], _ place: String) throws(SettingsFailure) {
    guard let key = unknownKey(among: known) else { return }
    let prefix = place.isEmpty ? "" : "\(place): "
    throw SettingsFailure(
      message: "\(prefix)unknown key '\(key)' (expected \(known.joined(separator: ", ")))")
  }
}
