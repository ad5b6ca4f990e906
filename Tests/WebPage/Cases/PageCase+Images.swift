import Media

extension PageCase {
  /// Pictures in the page's body.
  static let images = [
    PageCase(
      "image-largest", "by declared area, then those that declare none",
      .init(.element, "/large.jpg", altText: "Large"), .init(.element, "/wide.jpg"),
      .init(.element, "/small.jpg", altText: "Small"), .init(.element, "/undeclared.jpg")),
    PageCase(
      "image-article", "an article's pictures only, its header's included",
      .init(.element, "/hero.jpg"), .init(.element, "/inset.jpg")),
    PageCase("image-main", "the main part where there is no article", .init(.element, "/main.jpg")),
    PageCase("image-frame", "not header, navigation, aside, footer", .init(.element, "/body.jpg")),
    PageCase(
      "image-teasers", "the first article, without the articles inside it",
      .init(.element, "/story.jpg")),
    PageCase("image-lazy", "data-src", .init(.element, "/lazy.jpg", altText: "Lazy")),
    PageCase(
      "image-lazy-original", "data-original and data-lazy-src behind stand-ins",
      .init(.element, "/original.jpg"), .init(.element, "/lazy-src.jpg")),
    PageCase("image-set", "the widest of a set", .init(.element, "/w1280.jpg", altText: "Set")),
    PageCase("image-set-density", "the densest of a set", .init(.element, "/2x.jpg")),
    PageCase("image-set-lazy", "a set that a script would put in place", .init(.element, "/b.jpg")),
    PageCase(
      "image-set-commas", "commas inside addresses", .init(.element, "/c_fill,w_800/x.jpg")),
    PageCase(
      "image-placeholders", "stand-ins, drawings and what is no address; but not every pixel",
      .init(.element, "/google-pixel-9.jpg", altText: "A telephone")),
    PageCase(
      "image-small", "a declared side below 64 is an ornament", .init(.element, "/just.jpg")),
    PageCase(
      "image-noscript", "what is shown without scripts counts; counters do not",
      .init(.element, "/noscript.jpg", altText: "Without scripts")),
    PageCase(
      "image-template", "nothing in a template is on the page", .init(.element, "/real.jpg")),
    PageCase(
      "image-picture", "a <picture>'s source where its <img> has no address of its own",
      .init(.element, "/p2.avif", altText: "In a picture"), .init(.element, "/q.jpg")),
    PageCase(
      "image-units", "pixels with a unit or a fraction, one side alone, no shares of the window",
      .init(.element, "/one-side.jpg"), .init(.element, "/pixels.jpg"),
      .init(.element, "/percent.jpg")),
    PageCase(
      "image-text", "alt text with entities decoded once",
      .init(.element, "/t.jpg", altText: "Tom & Jerry — again")),
    PageCase(
      "image-many", "the eight largest are enough", .init(.element, "/29.jpg"),
      .init(.element, "/28.jpg"), .init(.element, "/27.jpg"), .init(.element, "/26.jpg"),
      .init(.element, "/25.jpg"), .init(.element, "/24.jpg"), .init(.element, "/23.jpg"),
      .init(.element, "/22.jpg")),
    PageCase(
      "base", "references are given as written, beside the base",
      base: "https://cdn.example/assets/", .init(.openGraph, "hero.jpg")),
    PageCase(
      "base-twice", "the first base that has an address", base: "/one/",
      .init(.touchIcon, "icon.png")),
    PageCase("base-inline", "a data: base is none", .init(.openGraph, "hero.jpg")),
  ]
}
