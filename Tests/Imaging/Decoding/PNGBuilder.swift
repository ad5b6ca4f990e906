/// Writes PNG files chunk by chunk, uncompressed, from the format's specification alone.
struct PNGBuilder {
  private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  mutating func header(
    _ width: Int, _ height: Int, depth: Int, colourType: Int, interlaced: Bool = false
  ) {
    chunk(
      "IHDR",
      bigEndian(width, 4) + bigEndian(height, 4)
        + [UInt8(depth), UInt8(colourType), 0, 0, interlaced ? 1 : 0])
  }

  mutating func chunk(_ type: String, _ payload: [UInt8] = []) {
    let body = Array(type.utf8) + payload
    bytes += bigEndian(payload.count, 4) + body + bigEndian(Int(checkSum(body)), 4)
  }

  /// One IDAT of filter-0 scan lines, deflated as stored blocks.
  mutating func imageData(_ lines: [[UInt8]]) {
    chunk("IDAT", zlibStored(lines.flatMap { [0] + $0 }))
  }

  mutating func end() { chunk("IEND") }
}

func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
}

/// RFC 1950 around RFC 1951's stored blocks.
func zlibStored(_ data: [UInt8]) -> [UInt8] {
  var stream: [UInt8] = [0x78, 0x01]
  var start = 0
  repeat {
    let end = min(data.count, start + 65_535)
    let length = end - start
    stream += [end == data.count ? 1 : 0, UInt8(length & 255), UInt8(length >> 8)]
    stream += [UInt8(~length & 255), UInt8(~length >> 8 & 255)] + data[start..<end]
    start = end
  } while start < data.count
  var (a, b): (UInt32, UInt32) = (1, 0)
  for byte in data {
    a = (a + UInt32(byte)) % 65_521
    b = (b + a) % 65_521
  }
  return stream + bigEndian(Int(b << 16 | a), 4)
}

/// CRC-32 as in ISO 3309.
private func checkSum(_ bytes: [UInt8]) -> UInt32 {
  var sum: UInt32 = ~0
  for byte in bytes {
    sum ^= UInt32(byte)
    for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
  }
  return ~sum
}

/// The scan lines of the seven reduced pictures of Adam7, for pixels of whole bytes.
func adam7(_ lines: [[UInt8]], bytesPerPixel: Int) -> [[UInt8]] {
  let passes = [
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
    (0, 1, 1, 2),
  ]
  var reduced: [[UInt8]] = []
  for (left, top, across, down) in passes {
    for y in stride(from: top, to: lines.count, by: down) {
      let width = lines[y].count / bytesPerPixel
      let line = stride(from: left, to: width, by: across).flatMap { x in
        lines[y][(x * bytesPerPixel)..<((x + 1) * bytesPerPixel)]
      }
      if !line.isEmpty { reduced.append(line) }
    }
  }
  return reduced
}
