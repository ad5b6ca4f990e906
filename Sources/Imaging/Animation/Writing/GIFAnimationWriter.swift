internal import Media

/// Writes an animated GIF frame by frame: of each only what changed, the rest transparent. Keeps one
/// screen, and the frame that waits for the next one to tell how long it is shown.
struct GIFAnimationWriter: ~Copyable {
  private struct Waiting {
    var frame: IndexedFrame
    var since: Int
    var clears = false
  }

  private let file: GIFFile
  private let size: PixelSize
  private let repetitions: Int?
  private let choice: PaletteChoice
  /// What was wanted of each pixel when it was drawn last; 0 where nothing is.
  private var shown: [UInt32]
  private var waiting: Waiting?
  private var globalPalette: ColourTable?
  private var globalTransparent: Int?
  /// Frames that the file has so far.
  private(set) var frames = 0

  /// `repetitions` as in `GIFFile.writeLoop`, nil to play once. The sink must outlive the writer.
  init(
    _ sink: GIFSink, size: PixelSize, repetitions: Int?, choice: PaletteChoice
  ) throws(DecodeFailure) {
    file = try GIFFile.open(sink)
    self.size = size
    self.repetitions = repetitions
    self.choice = choice
    shown = [UInt32](repeating: 0, count: size.width * size.height)
  }

  /// Takes a frame that is shown from `time` (hundredths of a second) on: for each pixel an opaque
  /// colour, or 0.
  mutating func add(_ wanted: [UInt32], at time: Int) throws(DecodeFailure) {
    guard waiting != nil else {
      return wait(for: try draw(wanted, PixelRectangle(size)), since: time)
    }
    var difference = difference(wanted)
    var isCleared = false
    if let cleared = difference.cleared {
      clear(cleared)
      isCleared = true
      difference = self.difference(wanted)
    }
    // A cleared screen shows only once its frame has ended.
    guard let part = difference.drawn ?? (isCleared ? .firstPixel : nil) else { return }
    try writeWaiting(until: time)
    wait(for: try draw(wanted, part), since: time)
  }

  /// Writes the last frame, shown until `time`, and the end.
  consuming func finish(at time: Int) throws(DecodeFailure) -> Int {
    try writeWaiting(until: time)
    let frames = frames
    try file.close()
    return frames
  }
}

extension GIFAnimationWriter {
  private func difference(_ wanted: [UInt32]) -> FrameDifference {
    FrameDifference(shown: shown, wanted: wanted, size: size, tolerance: choice.tolerance)
  }

  private mutating func wait(for frame: IndexedFrame, since time: Int) {
    waiting = Waiting(frame: frame, since: time)
  }

  /// Has the waiting frame take a part of the screen away when it ends.
  private mutating func clear(_ part: PixelRectangle) {
    guard let union = waiting?.frame.part.union(part) else { return }
    waiting?.frame.extend(to: union)
    waiting?.clears = true
    for row in union.top..<union.bottom {
      for x in union.left..<union.right { shown[row * size.width + x] = 0 }
    }
  }

  private mutating func writeWaiting(until time: Int) throws(DecodeFailure) {
    guard let ready = waiting else { return }
    waiting = nil
    let frame = ready.frame
    if frames == 0 {
      try file.begin(size, palette: frame.palette)
      if let repetitions { try file.writeLoop(repetitions: repetitions) }
    }
    try file.writeControl(
      hundredths: max(0, min(GIFFile.longestDelay, time - ready.since)),
      transparentIndex: frame.transparentIndex, clears: ready.clears)
    try file.writeFrame(
      frame.part, palette: frame.isGlobal ? nil : frame.palette, indices: frame.indices)
    frames += 1
  }

  /// Draws what must change within a part, which holds all of it.
  private mutating func draw(
    _ wanted: [UInt32], _ part: PixelRectangle
  ) throws(DecodeFailure) -> IndexedFrame {
    let pixels = takeChanges(wanted, part)
    if let frame = exact(pixels, part) { return frame }
    var frame = try FrameQuantizer.quantize(pixels, part: part, choice: choice)
    if waiting == nil, frames == 0 { takeAsGlobal(&frame) }
    return frame
  }

  /// The pixels that must be drawn; they count as shown from now on.
  private mutating func takeChanges(
    _ wanted: [UInt32], _ part: PixelRectangle
  ) -> FrameQuantizer.Pixels {
    var pixels = [UInt32](repeating: 0, count: part.area)
    for row in 0..<part.height {
      let start = (part.top + row) * size.width + part.left
      for x in 0..<part.width {
        let pixel = wanted[start + x]
        guard pixel != 0, FrameDifference.differ(shown[start + x], pixel, choice.tolerance) else {
          continue
        }
        pixels[row * part.width + x] = pixel
        shown[start + x] = pixel
      }
    }
    return FrameQuantizer.Pixels(size: part.size, pixels: pixels)
  }

  /// A frame that shows each colour as it is; nil where there are too many.
  private mutating func exact(
    _ pixels: FrameQuantizer.Pixels, _ part: PixelRectangle
  ) -> IndexedFrame? {
    if let global = globalPalette, let transparent = globalTransparent,
      let indices = indices(of: pixels, transparent: UInt8(transparent), { global.index(of: $0) })
    {
      return IndexedFrame(
        part: part, palette: [], isGlobal: true, transparentIndex: transparent, indices: indices)
    }
    var table = ColourTable()
    let isFull = part == PixelRectangle(size) && !pixels.pixels.contains(0)
    let limit = min(choice.colours, isFull ? 256 : 255)
    for pixel in pixels.pixels where pixel != 0 {
      guard table.insert(pixel, limit: limit) != nil else { return nil }
    }
    let transparent = table.colours.count < 256 ? table.colours.count : nil
    guard
      let indices = indices(
        of: pixels, transparent: UInt8(transparent ?? 0), { table.index(of: $0) })
    else { return nil }
    let black = RGBColour(red: 0, green: 0, blue: 0)
    var frame = IndexedFrame(
      part: part,
      palette: table.colours.map(RGBColour.init(pixel:)) + (transparent == nil ? [] : [black]),
      transparentIndex: transparent, indices: indices)
    if waiting == nil, frames == 0 { takeAsGlobal(&frame) }
    return frame
  }

  private func indices(
    of pixels: FrameQuantizer.Pixels, transparent: UInt8, _ find: (UInt32) -> UInt8?
  ) -> [UInt8]? {
    var indices = [UInt8](repeating: transparent, count: pixels.pixels.count)
    var (last, lastIndex) = (UInt32(0), transparent)
    for position in pixels.pixels.indices {
      let pixel = pixels.pixels[position]
      if pixel != last {
        guard let index = pixel == 0 ? transparent : find(pixel) else { return nil }
        (last, lastIndex) = (pixel, index)
      }
      indices[position] = lastIndex
    }
    return indices
  }

  /// Makes the first frame's palette that of the file.
  private mutating func takeAsGlobal(_ frame: inout IndexedFrame) {
    globalPalette = ColourTable(frame.palette, skipping: frame.transparentIndex)
    frame.isGlobal = true
    globalTransparent = frame.transparentIndex
  }
}

extension PixelRectangle {
  fileprivate static let firstPixel = PixelRectangle(left: 0, top: 0, width: 1, height: 1)
}
