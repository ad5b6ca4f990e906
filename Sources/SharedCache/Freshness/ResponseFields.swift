/// The header fields of a response that caching goes by, as they came.
package struct ResponseFields: Sendable, Hashable {
  /// One header field.
  package struct Field: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  static let kept: Set<String> = [
    "age", "cache-control", "date", "etag", "expires", "last-modified", "vary",
  ]
  /// Longer values are dropped; where that could make an answer last longer than its origin allows,
  /// the strictest value stands for them.
  static let maxValueBytes = 1024
  private static let strictest = ["cache-control": "no-store", "expires": "0", "vary": "*"]

  var fields: [Field]

  /// Keeps what caching needs of all fields of a response, in order.
  package init(_ all: [Field]) {
    fields = all.compactMap { field in
      let kept = Field(field.name.lowercased(), CacheControl.trimmed(field.value))
      guard Self.kept.contains(kept.name) else { return nil }
      if kept.value.utf8.count <= Self.maxValueBytes { return kept }
      return Self.strictest[kept.name].map { Field(kept.name, $0) }
    }
    if fields.count > 32 { fields = [Field("cache-control", "no-store")] }
  }

  /// The same stored as text.
  package init(serialized: String) {
    fields = serialized.split(separator: "\n").compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return Field(String(line[..<colon]), String(line[line.index(after: colon)...]))
    }
  }

  /// One `name:value` a line; a value with a line break in it is none of HTTP's and is left out.
  package var serialized: String {
    fields.filter { !$0.value.contains(where: \.isNewline) }
      .map { "\($0.name):\($0.value)" }.joined(separator: "\n")
  }

  func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  func first(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  /// For If-None-Match; of several none can be told to be the one.
  package var entityTag: String? {
    let tags = all("etag")
    guard tags.count == 1, let tag = tags.first, !tag.isEmpty, !EntityTag.isList(tag) else {
      return nil
    }
    return tag
  }
  /// For If-Modified-Since.
  package var lastModified: String? { first("last-modified") }

  /// The names in Vary, lower case.
  var varies: [String] {
    all("vary").flatMap { $0.split(separator: ",") }.map {
      CacheControl.trimmed($0).lowercased()
    }
  }

  /// The stored fields with those of a 304 in their place (RFC 9111 §3.2, §4.3.4). Age and Date
  /// speak of one answer only and are not carried over.
  package func updated(by answer: ResponseFields) -> ResponseFields {
    let replaced = Set(answer.fields.map(\.name)).union(["age", "date", Self.redirectsName])
    var result = self
    result.fields = fields.filter { !replaced.contains($0.name) } + answer.fields
    return result
  }
}
