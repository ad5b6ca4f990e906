internal import Media

/// A palette with a way back from a colour to its index.
struct ColourTable: Sendable {
  private(set) var colours: [UInt32] = []
  /// Colours by their hash, open addressing; 0 is free, since no opaque pixel is 0.
  private var slots = [UInt32](repeating: 0, count: Self.slotCount)
  private var indices = [UInt8](repeating: 0, count: Self.slotCount)

  private static let slotCount = 1024

  init() {}

  /// The way back into a palette whose entry `skipped` is transparent.
  init(_ palette: [RGBColour], skipping skipped: Int?) {
    for (index, colour) in palette.enumerated() where index != skipped {
      let slot = slot(colour.pixel)
      guard slots[slot] == 0 else { continue }
      slots[slot] = colour.pixel
      indices[slot] = UInt8(index)
    }
  }

  /// The index of a colour.
  func index(of colour: UInt32) -> UInt8? {
    let slot = slot(colour)
    return slots[slot] == colour ? indices[slot] : nil
  }

  /// The index of a colour, which is added where it is new; nil where there is no room for it.
  mutating func insert(_ colour: UInt32, limit: Int) -> UInt8? {
    let slot = slot(colour)
    if slots[slot] == colour { return indices[slot] }
    guard colours.count < limit else { return nil }
    slots[slot] = colour
    indices[slot] = UInt8(colours.count)
    colours.append(colour)
    return indices[slot]
  }

  private func slot(_ colour: UInt32) -> Int {
    var slot = Int((colour &* 0x9E37_79B1) >> 22)
    while slots[slot] != 0, slots[slot] != colour { slot = (slot + 1) % Self.slotCount }
    return slot
  }
}

extension RGBColour {
  /// The colour of a canvas pixel.
  init(pixel: UInt32) {
    self.init(
      red: UInt8(pixel & 255), green: UInt8(pixel >> 8 & 255), blue: UInt8(pixel >> 16 & 255))
  }

  /// An opaque canvas pixel.
  var pixel: UInt32 {
    UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | 0xFF00_0000
  }
}
