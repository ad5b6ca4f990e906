/// The pictures of a page's body by where they stand. An article's own come before those of the
/// main part, and these before the rest; those of navigation, footers and asides are left out.
struct ImageElements {
  /// The first article that has pictures is the article: others after it are teasers.
  private var articles: [Int: [ImageElement]] = [:]
  private var main: [ImageElement] = []
  private var others: [ImageElement] = []

  /// A page may have thousands; the first of a place are looked at.
  private static let most = 200
  /// How many are worth a try.
  private static let worthTrying = 8

  mutating func add(_ image: ImageElement, article: Int?, isMain: Bool) {
    if let article {
      articles[article, default: []].append(image, most: Self.most)
    } else if isMain {
      main.append(image, most: Self.most)
    } else {
      others.append(image, most: Self.most)
    }
  }

  /// Those of the best place, the largest declared first, then those that declare nothing.
  var best: [ImageElement] {
    let place = articles.min { $0.key < $1.key }?.value ?? (main.isEmpty ? others : main)
    let sorted = place.enumerated().sorted {
      ($0.element.area ?? 0, -$0.offset) > ($1.element.area ?? 0, -$1.offset)
    }
    return sorted.prefix(Self.worthTrying).map(\.element)
  }
}

extension [ImageElement] {
  fileprivate mutating func append(_ image: ImageElement, most: Int) {
    if count < most { append(image) }
  }
}
