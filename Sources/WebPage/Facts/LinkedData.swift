internal import Media

/// The pictures and the publisher of a page's JSON-LD (schema.org), from all its scripts.
struct LinkedData {
  private var nodes: [JSONObject] = []
  private var identified: [String: JSONObject] = [:]

  private static let mostNodes = 1000
  private static let mostPictures = 16

  /// Reads one script; what is no JSON says nothing.
  mutating func read(_ script: String) {
    guard let document = LinkedDataScript.json(of: script) else { return }
    collect(document, depth: 0)
  }

  private mutating func collect(_ value: JSONValue, depth: Int) {
    guard depth < 8, nodes.count < Self.mostNodes else { return }
    if let elements = value.array {
      for element in elements { collect(element, depth: depth + 1) }
    } else if let node = value.object {
      nodes.append(node)
      if let id = node["@id"]?.string, node.members.count > 1, identified[id] == nil {
        identified[id] = node
      }
      for name in ["@graph", "mainEntity"] {
        if let inner = node[name] { collect(inner, depth: depth + 1) }
      }
    }
  }

  /// The first publisher that has a name.
  var publisher: String? {
    nodes.lazy.compactMap { node in node["publisher"].flatMap { name(of: $0, depth: 0) } }.first
  }

  private func name(of value: JSONValue, depth: Int) -> String? {
    guard depth < 4 else { return nil }
    switch value {
    case .string(let text): return text.contains("://") ? nil : Self.text(text)
    case .array(let elements):
      return elements.lazy.compactMap { name(of: $0, depth: depth + 1) }.first
    case .object(let object):
      if let name = object["name"] ?? object["@value"] {
        return self.name(of: name, depth: depth + 1)
      }
      return target(of: object).flatMap { name(of: .object($0), depth: depth + 1) }
    default: return nil
    }
  }

  /// References, those of what the page is about before those of who made it.
  var pictures: [String] {
    let subjects = nodes.filter { !Self.isMaker($0) }
    let makers = nodes.filter(Self.isMaker)
    var found: [String] = []
    for node in subjects + makers where !Self.isImage(node) {
      for name in ["image", "thumbnailUrl"] {
        if let value = node[name] { add(value, to: &found, depth: 0) }
      }
    }
    return found
  }

  private func add(_ value: JSONValue, to found: inout [String], depth: Int) {
    guard depth < 4, found.count < Self.mostPictures else { return }
    switch value {
    case .string(let text):
      if let reference = Self.text(text), PlaceholderRules.isUsable(reference),
        !found.contains(reference)
      {
        found.append(reference)
      }
    case .array(let elements):
      for element in elements { add(element, to: &found, depth: depth + 1) }
    case .object(let object):
      if let address = object["url"] ?? object["contentUrl"] ?? object["@value"] {
        add(address, to: &found, depth: depth + 1)
      } else if let target = target(of: object) {
        add(.object(target), to: &found, depth: depth + 1)
      }
    default: break
    }
  }

  /// The node that `{"@id": …}` stands for.
  private func target(of object: JSONObject) -> JSONObject? {
    guard let id = object["@id"]?.string, let node = identified[id], node != object else {
      return nil
    }
    return node
  }

  private static func isMaker(_ node: JSONObject) -> Bool {
    let makers: Set = [
      "organization", "newsmediaorganization", "corporation", "person", "website", "breadcrumblist",
    ]
    return types(of: node).contains { makers.contains($0) }
  }

  private static func isImage(_ node: JSONObject) -> Bool {
    types(of: node).contains("imageobject")
  }

  /// Without the vocabulary's address.
  private static func types(of node: JSONObject) -> [String] {
    let value = node["@type"]
    let names = value?.array?.compactMap(\.string) ?? [value?.string].compactMap { $0 }
    return names.map { String($0.split { "/:#".contains($0) }.last ?? "").lowercased() }
  }

  private static func text(_ text: String) -> String? {
    let decoded = Entities.decode(text).trimmed
    return decoded.isEmpty ? nil : decoded
  }
}
