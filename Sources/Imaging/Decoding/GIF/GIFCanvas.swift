internal import Media

/// The logical screen that frames are drawn on one after the other; transparent at first.
struct GIFCanvas: ~Copyable {
  let pixels: AnimationCanvas

  private init(adopting pixels: consuming AnimationCanvas) {
    self.pixels = pixels
  }

  var size: PixelSize { pixels.size }

  /// The caller has checked the size against the limits.
  static func allocate(_ size: PixelSize) throws(DecodeFailure) -> GIFCanvas {
    GIFCanvas(adopting: try AnimationCanvas.allocate(size))
  }

  /// Draws a frame whose pixels stand next in the file, clipped to the canvas. Where the data end
  /// early, what has come is drawn (an interlaced frame's lines doubled over those that miss), and
  /// the first row of the canvas without any is the result; nil for a whole frame.
  func compose(
    _ frame: GIFFrame, from reader: borrowing GIFReader
  ) throws(DecodeFailure) -> (firstMissingRow: Int, failure: DecodeFailure)? {
    var line = [UInt8](repeating: 0, count: frame.size.width)
    for index in 0..<neededLines(of: frame) {
      do throws(DecodeFailure) {
        try reader.readLine(into: &line, isLast: index + 1 == frame.size.height)
      } catch .truncated(let message) {
        return (repair(frame, lines: index), .truncated(message))
      }
      draw(line, of: frame, at: frame.top + frame.line(at: index))
    }
    return nil
  }

  /// One row: red, green, blue, alpha for each pixel.
  func deliver<Sink: RowSink & ~Copyable>(
    row: Int, into sink: inout Sink
  ) throws(DecodeFailure) {
    try pixels.withRow(row) { (pixels) throws(DecodeFailure) in
      try sink.consume(pixels, plane: 0)
    }
  }

  /// One row without alpha.
  func deliverOpaque<Sink: RowSink & ~Copyable>(
    row: Int, scratch: inout [UInt8], into sink: inout Sink
  ) throws(DecodeFailure) {
    try pixels.withRow(row) { (pixels) throws(DecodeFailure) in
      for x in 0..<size.width {
        for component in 0..<3 { scratch[x * 3 + component] = pixels[x * 4 + component] }
      }
    }
    try sink.consume(scratch.span, plane: 0)
  }
}

extension GIFCanvas {
  /// Whether `compose` takes everything of a frame that the file holds.
  func readsAllLines(of frame: GIFFrame) -> Bool {
    frame.size.width > 0 && frame.size.height > 0 && neededLines(of: frame) == frame.size.height
  }

  /// Lines in file order after which nothing can touch the canvas any more.
  private func neededLines(of frame: GIFFrame) -> Int {
    guard frame.left < size.width, frame.top < size.height, frame.size.width > 0 else { return 0 }
    if frame.isInterlaced { return frame.size.height }
    return min(frame.size.height, size.height - frame.top)
  }

  private func draw(_ line: [UInt8], of frame: GIFFrame, at row: Int) {
    guard row < size.height else { return }
    let count = min(line.count, size.width - frame.left)
    let target = unsafe pixels.pixels(row: row) + frame.left
    let transparent = frame.control.transparentIndex.map(Int.init) ?? -1
    for x in 0..<count where Int(line[x]) != transparent {
      unsafe target[x] = frame.palette[line[x]]
    }
  }

  /// Copies each line that came over those below it that did not, and tells the first row of the
  /// canvas that shows nothing of the frame.
  private func repair(_ frame: GIFFrame, lines: Int) -> Int {
    guard frame.isInterlaced, lines > 0 else { return min(size.height, frame.top + lines) }
    let known = Set((0..<lines).map { frame.line(at: $0) })
    let end = lines >= frame.firstPassLines ? frame.size.height : lines * 8
    let rows = (0..<end).filter { frame.top + $0 < size.height }
    var source = 0
    for line in rows {
      if known.contains(line) {
        source = line
      } else {
        copy(frame.top + source, to: frame.top + line)
      }
    }
    return min(size.height, frame.top + end)
  }

  private func copy(_ row: Int, to other: Int) {
    unsafe pixels.pixels(row: other).update(from: pixels.pixels(row: row), count: size.width)
  }
}
