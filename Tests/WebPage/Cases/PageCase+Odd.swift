import Media

extension PageCase {
  /// Broken, old and misleading pages.
  static let odd = [
    PageCase(
      "odd-many-attributes", "of a tag's attributes 256 count; a script is no tag",
      publisher: "After > all", .init(.openGraph, "/first.jpg")),
    PageCase(
      "unclosed", "nothing is closed, the last tag not even ended", title: "Open",
      .init(.openGraph, "/open.jpg")),
    PageCase(
      "unquoted", "attributes without quotation marks, or with single ones", title: "Unquoted",
      .init(.openGraph, "/unquoted.jpg?a=1&b=2"), .init(.twitter, "/single.jpg")),
    PageCase(
      "cut", "the limit fell inside a tag", title: "Cut", .init(.openGraph, "/whole.jpg")),
    PageCase("commented-out", "comments say nothing", title: "Comments"),
    PageCase(
      "zeros", "a zero does not end the page", title: "Ze ro", .init(.openGraph, "/zero.jpg")),
    PageCase("frames", "a page of frames", title: "Frames"),
    PageCase("not-a-page", "text without an element", problems: [.notMedia], isPage: false),
    PageCase(
      "strict", "XHTML with its declaration", title: "Strict & old",
      .init(.openGraph, "/strict.jpg"), .init(.element, "/p.jpg", altText: "P"),
      .init(.touchIcon, "/strict.png")),
    PageCase(
      "ampersands", "entities without semicolon are none, in addresses",
      .init(.openGraph, "/i?a=1&b=2&c=3&copy=4&lt=5"), .init(.twitter, "/i?x=2&amp;y")),
    PageCase("script-writes", "what a script would write is not read", title: "Static"),
    PageCase("style-and-textarea", "nor what a style sheet holds", title: "Real"),
    PageCase(
      "plain-text-elements", "what browsers show as text, where visitors may write, says nothing",
      title: "Forum", .init(.element, "/after.jpg")),
    PageCase(
      "entities-in-addresses", "numeric entities, decimal and hexadecimal",
      .init(.marked, "/ref/x.jpg")),
    PageCase("long-reference", "more than 8 kB is no address", .init(.twitter, "/short.jpg")),
    PageCase(
      "foreign-addresses", "IDN hosts and raw paths are left to the worker",
      .init(.openGraph, "https://exämple.test/사진 1.jpg"),
      .init(.touchIcon, "//icons.example/i.png")),
  ]
}
