import Media

extension PageCase {
  /// What pages say for those who share them: Open Graph, Twitter, marked pictures, icons.
  static let sharing = [
    PageCase(
      "open-graph", "the plain case; og:title goes before <title>", title: "Bridge opens",
      publisher: "The Gazette",
      .init(.openGraph, "https://img.example/bridge.jpg", altText: "A bridge at dawn")),
    PageCase(
      "open-graph-order", "secure_url, url and image in this order, whatever the page's",
      .init(.openGraphSecure, "https://img.example/secure.jpg"), .init(.openGraphURL, "/url.jpg"),
      .init(.openGraph, "/plain.jpg")),
    PageCase(
      "open-graph-several", "of several with one name the first counts, with its own text",
      .init(.openGraph, "/first.jpg", altText: "The first")),
    PageCase(
      "open-graph-text-of-second", "a text after the second picture is not the first one's",
      .init(.openGraph, "/first.jpg")),
    PageCase(
      "open-graph-by-name", "name= in place of property=", title: "By name",
      publisher: "Name Daily", .init(.openGraph, "/by-name.jpg")),
    PageCase(
      "upper-case", "elements, attributes and names in any case", title: "LOUD",
      .init(.openGraph, "/LOUD.JPG"), .init(.twitter, "/Card.JPG")),
    PageCase(
      "twitter", "a card with its text; twitter:title is no title",
      .init(.twitter, "/card.jpg", altText: "The card")),
    PageCase("twitter-src", "the older name", .init(.twitter, "/card-src.jpg")),
    PageCase(
      "twitter-by-property", "property= in place of name=; Open Graph goes before, though later",
      .init(.openGraph, "/shared.jpg"), .init(.twitter, "/card.jpg")),
    PageCase(
      "twitter-text-for-open-graph", "the card's text where Open Graph has none",
      .init(.openGraph, "/shared.jpg", altText: "From the card")),
    PageCase(
      "open-graph-empty", "empty values are passed over, white space goes",
      title: "Fallback title", .init(.openGraph, "/real.jpg")),
    PageCase(
      "open-graph-inline", "a data: URL is no picture on the web", .init(.twitter, "/card.jpg")),
    PageCase(
      "open-graph-in-body", "metadata after the head counts all the same", title: "Late",
      .init(.openGraph, "/late.jpg"), .init(.touchIcon, "/late-icon.png")),
    PageCase(
      "two-names-on-one", "one <meta> with both attributes is both",
      .init(.openGraph, "/both.jpg"), .init(.twitter, "/both.jpg")),
    PageCase("item-property", "itemprop on <meta>", .init(.marked, "/item.jpg")),
    PageCase("image-source", "link rel=image_src", .init(.marked, "/source.jpg")),
    PageCase(
      "marked-order", "itemprop goes before image_src", .init(.marked, "/item.jpg"),
      .init(.marked, "/source.jpg")),
    PageCase(
      "item-image-element", "itemprop on <img> counts even in the page's frame",
      .init(.marked, "/masthead.jpg")),
    PageCase(
      "item-image-object", "an ImageObject item gives its url", .init(.marked, "/object.jpg")),
    PageCase(
      "item-of-publisher", "the picture of another item is not the page's",
      .init(.marked, "/story.jpg")),
    PageCase(
      "touch-icons", "the largest first; favicons are none", .init(.touchIcon, "/icon-180.png"),
      .init(.touchIcon, "/icon-76.png"), .init(.touchIcon, "/icon.png")),
    PageCase(
      "touch-icon-precomposed", "the older name, in any case", .init(.touchIcon, "/pre.png")),
    PageCase("favicon-only", "a favicon is no picture", title: "Small"),
    PageCase(
      "order-of-everything", "all kinds, written in reverse", .init(.openGraphSecure, "/0.jpg"),
      .init(.openGraphURL, "/1.jpg"), .init(.openGraph, "/2.jpg"), .init(.twitter, "/3.jpg"),
      .init(.linkedData, "/4a.jpg"), .init(.linkedData, "/4b.jpg"), .init(.marked, "/5a.jpg"),
      .init(.marked, "/5b.jpg"), .init(.element, "/6.jpg", altText: "Six"),
      .init(.touchIcon, "/7.png")),
  ]
}
