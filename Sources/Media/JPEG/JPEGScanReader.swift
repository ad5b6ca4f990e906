/// Follows the markers of a JPEG file as its bytes come, scan by scan (ITU-T T.81 annex B).
package struct JPEGScanReader: Sendable {
  private enum State: Sendable {
    /// Between segments; whether the last byte was 0xFF.
    case between(marked: Bool)
    /// Within a segment's length: its marker and how many of the two bytes have come.
    case length(marker: UInt8, first: UInt8?)
    case segment(marker: UInt8, left: Int)
    /// Within entropy-coded data; whether the last byte was 0xFF.
    case scan(marked: Bool)
    /// Nothing more to be learnt: the file has ended, or is no progressive JPEG.
    case done
  }

  private var state = State.between(marked: false)
  private var segment: [UInt8] = []
  private var tables: [Int: [Int]] = [:]
  private var frame: JPEGFrame?
  /// The header of the scan whose data are coming.
  private var scan: [UInt8]?

  package init() {}

  /// As stored; nil before the frame header, and for what is no progressive JPEG.
  package var size: PixelSize? { frame?.size }

  /// Whether later bytes can tell more.
  package var isDone: Bool { if case .done = state { true } else { false } }

  /// How exact the samples are at a scale of `eighths` / 8; nil before that can be told.
  package func precision(eighths: Int) -> JPEGPrecision? { frame?.precision(eighths: eighths) }

  /// Reads on from `index` to the marker that ends a scan: true when `index` stands behind it, false
  /// at the end of the bytes.
  package mutating func readScan(_ bytes: Span<UInt8>, from index: inout Int) -> Bool {
    while index < bytes.count {
      switch state {
      case .done:
        index = bytes.count
      case .scan(let marked):
        if skipScan(bytes, &index, marked: marked) { return true }
      case .segment(let marker, let left):
        takeSegment(marker, left: left, bytes, &index)
      case .length(let marker, let first):
        takeLength(marker, first, bytes[index])
        index += 1
      case .between(let marked):
        takeBetween(bytes[index], marked: marked)
        index += 1
      }
    }
    return false
  }

  /// Steps over entropy-coded data; true behind the marker after it.
  private mutating func skipScan(
    _ bytes: Span<UInt8>, _ index: inout Int, marked: Bool
  ) -> Bool {
    var marked = marked
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      // Stuffed zeros and restart markers are part of the data.
      if marked, byte != 0, byte != 0xFF, !(0xD0...0xD7).contains(byte) {
        endScan(marker: byte)
        return true
      }
      marked = byte == 0xFF
    }
    state = .scan(marked: marked)
    return false
  }

  private mutating func endScan(marker: UInt8) {
    if let scan, frame?.take(scan: scan, tables: tables) ?? false {
      begin(marker)
    } else {
      state = .done
    }
    scan = nil
  }

  private mutating func takeBetween(_ byte: UInt8, marked: Bool) {
    if marked, byte != 0, byte != 0xFF {
      begin(byte)
    } else {
      state = .between(marked: byte == 0xFF)
    }
  }

  private mutating func begin(_ marker: UInt8) {
    switch marker {
    case 0x01, 0xD0...0xD8: state = .between(marked: false)
    // The end; a height that comes late; frames that are not progressive with Huffman codes.
    case 0xD9, 0xDC, 0xC0, 0xC1, 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: state = .done
    default: state = .length(marker: marker, first: nil)
    }
  }

  private mutating func takeLength(_ marker: UInt8, _ first: UInt8?, _ byte: UInt8) {
    guard let first else {
      state = .length(marker: marker, first: byte)
      return
    }
    let length = Int(first) << 8 | Int(byte)
    segment = []
    state = length < 2 ? .done : .segment(marker: marker, left: length - 2)
    if length == 2 { endSegment(marker) }
  }

  private mutating func takeSegment(
    _ marker: UInt8, left: Int, _ bytes: Span<UInt8>, _ index: inout Int
  ) {
    let count = min(left, bytes.count - index)
    if Self.isRead(marker) {
      for place in index..<index + count { segment.append(bytes[place]) }
    }
    index += count
    state = .segment(marker: marker, left: left - count)
    if left == count { endSegment(marker) }
  }

  /// Quantization tables, the frame's header, a scan's.
  private static func isRead(_ marker: UInt8) -> Bool { [0xDB, 0xC2, 0xDA].contains(marker) }

  private mutating func endSegment(_ marker: UInt8) {
    state = .between(marked: false)
    switch marker {
    case 0xDB: if !takeTables() { state = .done }
    case 0xC2:
      let first = frame == nil
      frame = first ? JPEGFrame(segment) : frame
      if !first || frame == nil { state = .done }
    case 0xDA:
      scan = segment
      state = frame == nil ? .done : .scan(marked: false)
    default: break
    }
  }

  /// The tables of one segment, with steps of one byte or two (ITU-T T.81 §B.2.4.1).
  private mutating func takeTables() -> Bool {
    var rest = segment[...]
    while let head = rest.popFirst() {
      let width = head >> 4 == 0 ? 1 : 2
      guard rest.count >= 64 * width else { return false }
      let steps = rest.prefix(64 * width)
      rest = rest.dropFirst(64 * width)
      let bytes = steps.map(Int.init)
      tables[Int(head & 15)] = (0..<64).map { place in
        width == 1 ? bytes[place] : bytes[2 * place] << 8 | bytes[2 * place + 1]
      }
    }
    return true
  }
}
