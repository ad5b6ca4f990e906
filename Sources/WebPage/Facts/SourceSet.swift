/// A `srcset` attribute (WHATWG HTML, "parse a srcset attribute").
enum SourceSet {
  struct Candidate: Hashable {
    var reference: String
    /// Pixels by a `w` descriptor.
    var width: Int?
    /// By an `x` descriptor, 1 without any.
    var density: Double = 1
  }

  /// The largest candidate that is no placeholder; the first of equals.
  static func largest(of text: String) -> Candidate? {
    candidates(text).reduce(nil) { (best: Candidate?, next) in
      guard let best else { return next }
      return (next.width ?? 0, next.density) > (best.width ?? 0, best.density) ? next : best
    }
  }

  private static func candidates(_ text: String) -> [Candidate] {
    var rest = text[...]
    var found: [Candidate] = []
    while true {
      rest = rest.drop { $0.isWhitespace || $0 == "," }
      guard !rest.isEmpty, found.count < 64 else { return found }
      // A comma may be part of an address; at its end it ends the candidate.
      var word = rest.prefix { !$0.isWhitespace }
      rest = rest[word.endIndex...]
      let isWhole = word.last == ","
      while word.last == "," { word.removeLast() }
      var candidate = Candidate(reference: String(word))
      if !isWhole {
        let descriptors = rest.prefix { $0 != "," }
        rest = rest[descriptors.endIndex...]
        for descriptor in descriptors.split(whereSeparator: \.isWhitespace) {
          candidate.note(descriptor)
        }
      }
      if PlaceholderRules.isUsable(candidate.reference),
        !PlaceholderRules.isPlaceholder(candidate.reference)
      {
        found.append(candidate)
      }
    }
  }
}

extension SourceSet.Candidate {
  fileprivate mutating func note(_ descriptor: Substring) {
    let number = descriptor.dropLast()
    switch descriptor.last {
    case "w": width = Int(number)
    case "x": density = Double(number) ?? 1
    default: break
    }
  }
}
