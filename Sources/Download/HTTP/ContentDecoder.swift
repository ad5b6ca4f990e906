/// What a Content-Encoding field says was done to a body (RFC 9110 §8.4), undone as the bytes come:
/// the coding that is named last was applied last, and is undone first.
struct ContentDecoder: ~Copyable {
  /// More than one is rare, and each costs memory of its own.
  static let mostCodings = 3

  /// Codings that exist, and that we do not undo: beneath them others are out of sight.
  private static let foreign: Set<String> = [
    "aes128gcm", "br", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress", "zstd",
  ]

  /// How many codings a field names that would have to be undone, where that are too many.
  let excess: Int?
  /// Whether bytes between two codings have become too many.
  private(set) var isAboveLimit = false

  private let layers: [CodingLayer]
  private let limit: Int
  /// Bytes between two codings.
  private var passed = 0

  /// - Parameters:
  ///   - field: the value of Content-Encoding, nil where there is none.
  ///   - limit: bytes that may come of each coding but the last.
  init(field: String?, limit: Int) {
    let names = (field ?? "").lowercased().split(separator: ",").map { name in
      String(name.filter { $0 != " " && $0 != "\t" })
    }
    let codings = names.compactMap(ContentCoding.init)
    let isOutOfSight = names.contains(where: Self.foreign.contains)
    excess = !isOutOfSight && codings.count > Self.mostCodings ? codings.count : nil
    layers = isOutOfSight || excess != nil ? [] : codings.reversed().map(CodingLayer.init)
    self.limit = limit
  }

  /// False where the data ended before a coding's end, or were damaged.
  var isWhole: Bool { layers.allSatisfy(\.isWhole) }

  /// Hands over what some bytes come to, a piece at a time, until `body` says false, which is what
  /// it returns then. False also where the data are damaged, or too many between two codings.
  mutating func decode(_ bytes: RawSpan, _ body: (RawSpan) -> Bool) -> Bool {
    decode(bytes, from: 0, body)
  }

  /// Hands over first bytes that were too few to tell anything.
  mutating func finish(_ body: (RawSpan) -> Bool) -> Bool {
    for index in layers.indices {
      guard layers[index].finish({ pass($0, from: index, body) }) else { return false }
    }
    return true
  }

  private mutating func decode(
    _ bytes: RawSpan, from index: Int, _ body: (RawSpan) -> Bool
  ) -> Bool {
    guard index < layers.count else { return body(bytes) }
    return layers[index].decode(bytes) { pass($0, from: index, body) }
  }

  /// Takes what a coding's bytes came to on to the next.
  private mutating func pass(
    _ bytes: RawSpan, from index: Int, _ body: (RawSpan) -> Bool
  ) -> Bool {
    guard index + 1 < layers.count else { return body(bytes) }
    passed += bytes.byteCount
    guard passed <= limit * (layers.count - 1) else {
      isAboveLimit = true
      return false
    }
    return decode(bytes, from: index + 1, body)
  }
}
