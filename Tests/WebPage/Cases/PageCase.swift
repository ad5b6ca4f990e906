import Media
import Testing

/// One page of Pages/, and what must be found in it.
struct PageCase: Sendable, CustomTestStringConvertible {
  /// The file's name without extension.
  let name: String
  /// What the page is there for.
  let why: String
  var contentType: String?
  var base: String?
  var title: String?
  var publisher: String?
  var pictures: [PageFacts.Picture] = []
  var problems: [Problem.Code] = []
  var isPage = true

  var testDescription: String { "\(name): \(why)" }

  init(
    _ name: String, _ why: String, contentType: String? = nil, base: String? = nil,
    title: String? = nil, publisher: String? = nil, _ pictures: PageFacts.Picture...,
    problems: [Problem.Code] = [], isPage: Bool = true
  ) {
    self.name = name
    self.why = why
    self.contentType = contentType
    self.base = base
    self.title = title
    self.publisher = publisher
    self.pictures = pictures
    self.problems = problems
    self.isPage = isPage
  }

  static let all = sharing + linked + texts + images + charsets + odd
}
