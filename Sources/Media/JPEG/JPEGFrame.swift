/// What the frame header of a progressive JPEG tells (ITU-T T.81 §B.2.2), and what its scans have
/// given since.
struct JPEGFrame: Sendable {
  struct Component: Sendable {
    let identifier: UInt8
    /// Samples across and down for each of the least sampled component.
    let across: Int
    let down: Int
    let table: Int
    /// The steps of the table that its first scan found; nil before.
    var steps: [Int]?
    var missingBits = [Int](repeating: -1, count: 64)
  }

  let size: PixelSize
  private(set) var components: [Component]

  /// Reads the segment behind its length; nil where it makes no sense.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 6, bytes[0] == 8, bytes.count == 6 + 3 * Int(bytes[5]) else { return nil }
    let numbers = bytes.map(Int.init)
    size = PixelSize(width: numbers[3] << 8 | numbers[4], height: numbers[1] << 8 | numbers[2])
    components = stride(from: 6, to: bytes.count, by: 3).map { (start: Int) -> Component in
      Component(
        identifier: bytes[start], across: numbers[start + 1] >> 4, down: numbers[start + 1] & 15,
        table: numbers[start + 2])
    }
    guard size.width > 0, size.height > 0, (1...4).contains(components.count),
      components.allSatisfy({ (1...4).contains($0.across) && (1...4).contains($0.down) })
    else { return nil }
  }

  /// Takes a scan's header behind its length, once the scan has come; false where it makes no sense.
  mutating func take(scan bytes: [UInt8], tables: [Int: [Int]]) -> Bool {
    guard let count = bytes.first.map(Int.init), bytes.count == 4 + 2 * count, count > 0 else {
      return false
    }
    let (first, last) = (Int(bytes[1 + 2 * count]), Int(bytes[2 + 2 * count]))
    let missing = Int(bytes[3 + 2 * count] & 15)
    guard first <= last, last < 64 else { return false }
    for place in 0..<count {
      let identifier: UInt8 = bytes[1 + 2 * place]
      guard let index = components.firstIndex(where: { $0.identifier == identifier }),
        let steps = components[index].steps ?? tables[components[index].table]
      else { return false }
      components[index].steps = steps
      for coefficient in first...last { components[index].missingBits[coefficient] = missing }
    }
    return true
  }

  /// How exact the samples are at a scale of `eighths` / 8; nil before each component had a scan.
  func precision(eighths: Int) -> JPEGPrecision? {
    let known = components.compactMap { component in
      component.steps.map {
        JPEGPrecision.Component(
          steps: $0, missingBits: component.missingBits, side: side(component, eighths: eighths),
          isScaledDown: isScaledDown(component, eighths: eighths))
      }
    }
    return known.count == components.count ? JPEGPrecision(known) : nil
  }

  /// Whether a component's samples lie as densely as the picture's, which are more than are needed.
  private func isScaledDown(_ component: Component, eighths: Int) -> Bool {
    let side = side(component, eighths: eighths)
    return eighths < 8 && component.across * side == mostAcross * eighths
      && component.down * side == mostDown * eighths
  }

  private var mostAcross: Int { components.map(\.across).max() ?? 1 }
  private var mostDown: Int { components.map(\.down).max() ?? 1 }

  /// Samples on a side of a component's block: components that are sampled less are scaled less, by
  /// powers of two (libjpeg, jdmaster.c).
  private func side(_ component: Component, eighths: Int) -> Int {
    var side = eighths
    while side < 8, mostAcross * eighths % (component.across * side * 2) == 0,
      mostDown * eighths % (component.down * side * 2) == 0
    {
      side *= 2
    }
    return side
  }
}
