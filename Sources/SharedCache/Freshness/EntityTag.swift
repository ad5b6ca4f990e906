/// The comparison of entity tags (RFC 9110 §8.8.3.2).
enum EntityTag {
  static func isWeak(_ tag: String) -> Bool { tag.hasPrefix("W/") }

  /// Whether a field holds several, as those of one answer are joined.
  static func isList(_ field: String) -> Bool {
    var isQuoted = false
    return field.contains { character in
      if character == "\"" { isQuoted.toggle() }
      return character == "," && !isQuoted
    }
  }

  /// Whether two name the same: byte for byte when one of them claims to be strong.
  static func matches(_ stored: String, _ given: String) -> Bool {
    if stored == given { return true }
    guard isWeak(given) else { return false }
    return opaque(stored) == opaque(given)
  }

  private static func opaque(_ tag: String) -> Substring {
    isWeak(tag) ? tag.dropFirst(2) : tag[...]
  }
}

extension ResponseFields {
  /// Whether a 304 speaks of this stored answer (RFC 9111 §4.3.4): one that names another validator
  /// does not. One that names none, against the rule, is taken at its word: it was asked with ours.
  package func isConfirmed(by answer: ResponseFields) -> Bool {
    if let given = answer.entityTag {
      return entityTag.map { EntityTag.matches($0, given) } ?? false
    }
    guard entityTag == nil, let given = answer.lastModified else { return true }
    return lastModified == given
  }
}
