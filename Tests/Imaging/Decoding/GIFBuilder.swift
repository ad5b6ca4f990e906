/// Writes GIF files block by block from the format's specification (GIF89a) alone.
struct GIFBuilder {
  private(set) var bytes: [UInt8]

  init(_ width: Int, _ height: Int, palette: [UInt8]? = nil) {
    bytes = Array("GIF89a".utf8) + littleEndian(width, 2) + littleEndian(height, 2)
    bytes += [palette.map { 0x80 | GIFBuilder.sizeField($0) } ?? 0, 0, 0] + (palette ?? [])
  }

  mutating func control(hundredths: Int = 0, transparent: UInt8? = nil) {
    bytes += [0x21, 0xF9, 4, transparent == nil ? 0 : 1] + littleEndian(hundredths, 2)
    bytes += [transparent ?? 0, 0]
  }

  /// The same with a disposal method (GIF89a section 23).
  mutating func control(disposal method: UInt8, hundredths: Int, transparent: UInt8) {
    bytes += [0x21, 0xF9, 4, method << 2 | 1] + littleEndian(hundredths, 2) + [transparent, 0]
  }

  mutating func loop(_ repetitions: Int) {
    bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8)
    bytes += [3, 1] + littleEndian(repetitions, 2) + [0]
  }

  /// A frame whose lines stand in the order given; colour indices below 128.
  mutating func frame(
    left: Int = 0, top: Int = 0, _ lines: [[UInt8]], palette: [UInt8]? = nil,
    interlaced: Bool = false
  ) {
    bytes += [0x2C] + littleEndian(left, 2) + littleEndian(top, 2)
    bytes += littleEndian(lines[0].count, 2) + littleEndian(lines.count, 2)
    let local = palette.map { 0x80 | GIFBuilder.sizeField($0) } ?? 0
    bytes += [local | (interlaced ? 0x40 : 0)] + (palette ?? [])
    bytes += [7] + GIFBuilder.subBlocks(GIFBuilder.uncompressed(Array(lines.joined()))) + [0]
  }

  mutating func end() { bytes.append(0x3B) }

  /// log2 of the number of colours, less one.
  private static func sizeField(_ palette: [UInt8]) -> UInt8 {
    UInt8((palette.count / 3).trailingZeroBitCount - 1)
  }

  /// 8-bit codes: literals, with a clear code before the table would need a ninth bit.
  private static func uncompressed(_ indices: [UInt8]) -> [UInt8] {
    var codes: [UInt8] = []
    for (position, index) in indices.enumerated() {
      if position.isMultiple(of: 100) { codes.append(128) }
      codes.append(index)
    }
    return codes + [129]
  }

  private static func subBlocks(_ data: [UInt8]) -> [UInt8] {
    stride(from: 0, to: data.count, by: 255).flatMap { start in
      let block = data[start..<min(data.count, start + 255)]
      return [UInt8(block.count)] + block
    }
  }
}

func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
