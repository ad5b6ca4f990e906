internal import CXML

/// libxml2, set up once for all threads: two that begin their first parse together without this may
/// each make the mutex of its dictionaries, and then wait for ever (libxml2 2.9 dict.c).
enum XMLLibrary {
  private static let setUp: Void = xmlInitParser()

  /// To be called before each use. The corresponding C function is `xmlInitParser`.
  static func prepare() { setUp }
}
