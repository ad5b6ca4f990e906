import Media

extension PageCase {
  /// JSON-LD in its many shapes.
  static let linked = [
    PageCase(
      "linked-article", "picture and publisher of an article; a headline is no title",
      publisher: "The Courier", .init(.linkedData, "https://img.example/article.jpg")),
    PageCase(
      "linked-array", "an array of addresses, in order", .init(.linkedData, "/1x1.jpg"),
      .init(.linkedData, "/4x3.jpg"), .init(.linkedData, "/16x9.jpg")),
    PageCase("linked-object", "an ImageObject with url", .init(.linkedData, "/object.jpg")),
    PageCase(
      "linked-content-url", "an ImageObject with contentUrl, in arrays",
      .init(.linkedData, "/soup.jpg")),
    PageCase(
      "linked-graph", "@graph, references by @id; the page's picture before its maker's",
      publisher: "Graph Paper", .init(.linkedData, "/primary.jpg"),
      .init(.linkedData, "/thumb.jpg"), .init(.linkedData, "/logo.png")),
    PageCase(
      "linked-cdata", "wrapped in CDATA behind line comments", publisher: "Wrapped",
      .init(.linkedData, "/cdata.jpg")),
    PageCase(
      "linked-cdata-comment", "wrapped in CDATA inside comments", .init(.linkedData, "/cdata-2.jpg")
    ),
    PageCase(
      "linked-remark", "a remark before the object, and one after it", publisher: "Remarked",
      .init(.linkedData, "/remark.jpg")),
    PageCase(
      "linked-comment", "wrapped in an HTML comment, with a semicolon after it",
      .init(.linkedData, "/comment.jpg")),
    PageCase(
      "linked-thumbnail", "a film's thumbnailUrl", .init(.linkedData, "/still-1.jpg"),
      .init(.linkedData, "/still-2.jpg")),
    PageCase(
      "linked-entities", "entities in strings are decoded once", publisher: "Tom & Jerry – Daily",
      .init(.linkedData, "/a.jpg?w=1&h=2")),
    PageCase(
      "linked-escaped", "a document that was escaped as a whole", publisher: "A & B",
      .init(.linkedData, "/escaped.jpg")),
    PageCase(
      "linked-broken", "a broken script does not spoil the next", .init(.linkedData, "/whole.jpg")),
    PageCase(
      "linked-line-breaks", "control characters inside strings", .init(.linkedData, "/lines.jpg")),
    PageCase(
      "linked-maker-first", "types in an array and by address; the maker's picture comes last",
      .init(.linkedData, "/made.jpg"), .init(.linkedData, "/maker.png")),
    PageCase(
      "linked-person-alone", "a person's page shows the person", .init(.linkedData, "/ada.jpg")),
    PageCase(
      "linked-publisher-list", "the first publisher that has a name", publisher: "List Weekly"),
    PageCase("linked-publisher-text", "a publisher by name alone", publisher: "Plain Press"),
    PageCase(
      "linked-publisher-address", "an address is no name", publisher: "By Open Graph"),
    PageCase(
      "linked-type-parameter", "the type in any case, with a parameter",
      .init(.linkedData, "/typed.jpg")),
    PageCase("linked-other-type", "other JSON is not looked at"),
    PageCase(
      "linked-main-entity", "the thing that a page is about", .init(.linkedData, "/product.jpg")),
    PageCase(
      "linked-escapes", "JSON's own escapes, surrogate pairs among them", publisher: "연합 📰",
      .init(.linkedData, "/escaped.jpg")),
    PageCase(
      "linked-lenient", "comments, commas before brackets, line breaks and needless backslashes",
      publisher: "The Trailing Comma", .init(.linkedData, "/large.jpg"),
      .init(.linkedData, "/small.jpg")),
    PageCase("linked-circle", "references in a circle end"),
  ]
}
