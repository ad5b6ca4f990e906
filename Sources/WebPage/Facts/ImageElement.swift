/// An `<img>` with the best address it names.
struct ImageElement {
  var reference: String
  var altText: String?
  /// Width × height in pixels as declared, estimated where one side is; nil where none is.
  var area: Int?

  /// A picture with a declared side below this is an ornament (contract §9).
  static let leastSide = 64

  /// Reads the attributes; nil for what shows nothing. Where a script loads the picture later,
  /// `src` is a stand-in and another attribute names it.
  init?(_ attributes: MarkupAttributes, fallback: SourceSet.Candidate?) {
    let width = attributes["width"].flatMap(Self.pixels)
    let height = attributes["height"].flatMap(Self.pixels)
    if let width, width < Self.leastSide { return nil }
    if let height, height < Self.leastSide { return nil }
    let candidate = Self.sets.lazy.compactMap { attributes[$0] }
      .compactMap { SourceSet.largest(of: $0) }.first
    let plain = Self.sources.lazy.compactMap { attributes[$0] }.first {
      PlaceholderRules.isUsable($0) && !PlaceholderRules.isPlaceholder($0)
    }
    guard let reference = candidate?.reference ?? plain ?? fallback?.reference else { return nil }
    self.reference = reference
    altText = attributes["alt"]
    area = Self.area(width ?? (candidate ?? fallback)?.width, height)
  }

  private static let sets: [StaticString] = ["data-srcset", "data-lazy-srcset", "srcset"]
  private static let sources: [StaticString] = [
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-hi-res-src", "data-full-src",
    "data-image", "data-img-src", "data-url", "src",
  ]

  /// A number of pixels, also with its unit; nil for shares of the window.
  private static func pixels(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let rest = text[digits.endIndex...].drop { $0.isNumber || $0 == "." }
    guard rest.isEmpty || rest.lowercased() == "px", let value = Int(digits), value < 100_000 else {
      return nil
    }
    return value
  }

  /// One side alone stands for a picture of 16:9.
  private static func area(_ width: Int?, _ height: Int?) -> Int? {
    switch (width?.clamped, height?.clamped) {
    case (let width?, let height?): width * height
    case (let width?, nil): width * width * 9 / 16
    case (nil, let height?): height * height * 16 / 9
    case (nil, nil): nil
    }
  }
}

extension Int {
  fileprivate var clamped: Int { Swift.min(Swift.max(self, 0), 100_000) }
}
