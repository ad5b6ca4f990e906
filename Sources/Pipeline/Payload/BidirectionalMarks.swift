/// The marks that open and close runs of text in another direction (UAX #9, §2.1–2.4).
enum BidirectionalMarks {
  private enum Role {
    case embedding, endOfEmbedding, isolate, endOfIsolate
  }

  /// Deeper levels have no effect in any implementation (UAX #9, BD2).
  private static let mostLevels = 125

  /// The text without the marks that have no partner: an open one would turn what is shown after it.
  static func balanced(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { role(of: $0) != nil }) else { return text }
    let scalars = Array(text.unicodeScalars)
    var isDropped = [Bool](repeating: false, count: scalars.count)
    var open: [(index: Int, role: Role)] = []
    for (index, scalar) in scalars.enumerated() {
      switch role(of: scalar) {
      case nil: continue
      case .embedding?, .isolate?:
        isDropped[index] = true
        if open.count < mostLevels, let role = role(of: scalar) { open.append((index, role)) }
      case .endOfEmbedding?:
        isDropped[index] = open.last?.role != .embedding
        if !isDropped[index], let opened = open.popLast() { isDropped[opened.index] = false }
      case .endOfIsolate?:
        // It closes every embedding that was opened inside its isolate as well (UAX #9, X6a).
        guard let place = open.lastIndex(where: { $0.role == .isolate }) else {
          isDropped[index] = true
          continue
        }
        isDropped[open[place].index] = false
        open.removeSubrange(place...)
      }
    }
    var kept = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() where !isDropped[index] { kept.append(scalar) }
    return String(kept)
  }

  private static func role(of scalar: Unicode.Scalar) -> Role? {
    switch scalar.value {
    case 0x202A, 0x202B, 0x202D, 0x202E: .embedding
    case 0x202C: .endOfEmbedding
    case 0x2066...0x2068: .isolate
    case 0x2069: .endOfIsolate
    default: nil
    }
  }
}
