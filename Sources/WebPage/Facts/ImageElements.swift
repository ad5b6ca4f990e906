/// The pictures of a page's body by where they stand. An article's own come before those of the
/// main part, and these before the rest; those of navigation, footers and asides are left out.
struct ImageElements {
  /// The first article that has pictures is the article: others after it are teasers.
  private var articles: [Int: [ImageElement]] = [:]
  private var main: [ImageElement] = []
  private var others: [ImageElement] = []

  private var count = 0

  /// A page may have thousands; the first are looked at.
  private static let most = 1000
  /// How many are worth a try.
  private static let worthTrying = 8

  /// Whether no more are looked at.
  private(set) var isFull = false

  mutating func add(_ image: ImageElement, article: Int?, isMain: Bool) {
    count += 1
    isFull = count >= Self.most
    if let article {
      articles[article, default: []].append(image)
    } else if isMain {
      main.append(image)
    } else {
      others.append(image)
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
