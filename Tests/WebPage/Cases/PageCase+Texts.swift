import Media

extension PageCase {
  /// Titles and publishers.
  static let texts = [
    PageCase("application-name", "the last resort of a page", publisher: "App of the Day"),
    PageCase("site-name-first", "og:site_name goes before application-name", publisher: "Site"),
    PageCase("linked-publisher-first", "JSON-LD goes before both", publisher: "Linked"),
    PageCase(
      "title-entities", "decoded once, unknown ones left",
      title: "Fish & chips &amp; peas <b> é 🐟 &nosuch;"),
    PageCase(
      "title-windows-references", "references to 0x80…0x9F mean windows-1252",
      title: "It’s “here” – now"),
    PageCase("title-lines", "white space inside is left to the worker", title: "One\n  line"),
    PageCase("title-in-drawing", "a drawing's title is not the page's", title: "Page"),
    PageCase("title-twice", "the first that has text", title: "First with text"),
    PageCase(
      "title-tags", "tags in a title and in a text area are text, and no picture of the page's",
      title: "How <b>we</b> use <img src=/in-title.png> & more", .init(.element, "/real.jpg")),
    PageCase("title-missing", "meta name=title is none"),
    PageCase(
      "title-before-open-graph", "og:title wins wherever it stands", title: "Shared \"title\""),
    PageCase(
      "no-head", "elements without the ones that should hold them", title: "Bare",
      .init(.openGraph, "/bare.jpg")),
    PageCase(
      "text-marks", "directional marks and joined emoji arrive whole",
      title: "\u{200F}עברית\u{200F} – 👩‍👩‍👧"),
  ]
}
