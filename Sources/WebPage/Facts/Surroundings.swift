/// What the current element stands in.
struct Surroundings {
  enum Kind {
    case article, main, aside, header, picture
    /// Nothing in it is on the page: a template, what browsers take for plain text (where visitors
    /// may write), or a drawing with titles of its own.
    case inert
    /// The thing that `itemprop=image` describes.
    case imageItem
    /// Another thing with properties of its own.
    case otherItem
  }

  private var open: [(kind: Kind, depth: Int)] = []
  private var depth = 0
  private var articles = 0

  /// Enters an element; its kind is nil where it does not matter.
  mutating func enter(_ kind: Kind?) {
    depth += 1
    guard let kind else { return }
    if kind == .article, !has(.article) { articles += 1 }
    open.append((kind, depth))
  }

  mutating func leave() {
    while let last = open.last, last.depth >= depth { open.removeLast() }
    depth -= 1
  }

  func has(_ kind: Kind) -> Bool { open.contains { $0.kind == kind } }

  /// The number of the outermost article, inside one; one within another is a comment or a teaser.
  var article: Int? { open.count { $0.kind == .article } == 1 ? articles : nil }

  /// Whether a picture here belongs to the page's frame.
  var isFrame: Bool {
    if has(.aside) || open.count(where: { $0.kind == .article }) > 1 { return true }
    return has(.header) && !has(.article) && !has(.main)
  }

  /// The innermost item.
  var item: Kind? {
    open.last { $0.kind == .imageItem || $0.kind == .otherItem }?.kind
  }
}

extension Surroundings.Kind {
  init?(_ name: String, _ attributes: MarkupAttributes) {
    switch name {
    case "template", "svg", "math", "textarea", "iframe", "noembed", "noframes", "xmp":
      self = .inert
    case "article": self = .article
    case "main": self = .main
    case "nav", "footer", "aside": self = .aside
    case "header": self = .header
    case "picture": self = .picture
    case "img", "meta", "link", "a", "li", "p", "br", "source", "script": return nil
    default:
      guard let kind = Self.byAttributes(attributes) else { return nil }
      self = kind
    }
  }

  private static func byAttributes(_ attributes: MarkupAttributes) -> Self? {
    switch attributes["role"] {
    case "main": return .main
    case "article": return .article
    case "navigation", "complementary", "contentinfo": return .aside
    default: break
    }
    let property = attributes["itemprop"]?.lowercased()
    if property == "articlebody" || attributes["id"] == "content" { return .main }
    guard let property, attributes["itemtype"] != nil else { return nil }
    return property == "image" ? .imageItem : .otherItem
  }
}
