internal import CGIF
internal import Media

/// One frame of a GIF as its image descriptor and graphic control extension declare it (GIF89a
/// sections 20 and 23).
struct GIFFrame {
  struct Control {
    var delayHundredths = 0
    var transparentIndex: UInt8?
    var disposal = FrameDisposal.keep
  }

  var left: Int
  var top: Int
  var size: PixelSize
  var isInterlaced: Bool
  var palette: GIFPalette
  var control: Control

  /// How long browsers show it.
  var milliseconds: Double {
    AnimationDelay.played(milliseconds: Double(control.delayHundredths) * 10)
  }

  /// What it does to the canvas. With disposal 2 its place is cleared; the first frame's 3 brings back
  /// the empty canvas.
  func coverage(isFirst: Bool) -> CanvasCoverage.Frame {
    CanvasCoverage.Frame(
      left: left, top: top, size: size, isOpaque: control.transparentIndex == nil,
      clears: control.disposal == .clear || (isFirst && control.disposal == .restore))
  }

  /// Whether nothing of a canvas shows through.
  func covers(_ canvas: PixelSize) -> Bool {
    control.transparentIndex == nil && left == 0 && top == 0 && size.width >= canvas.width
      && size.height >= canvas.height
  }

  /// The line of the picture that stands at `index` in the file.
  func line(at index: Int) -> Int {
    guard isInterlaced else { return index }
    var rest = index
    for (first, step) in GIFFrame.passes {
      let lines = max(0, (size.height - first + step - 1) / step)
      if rest < lines { return first + rest * step }
      rest -= lines
    }
    return index
  }

  /// Lines that stand in the first pass of an interlaced frame, which shows all of it coarsely.
  var firstPassLines: Int { isInterlaced ? (size.height + 7) / 8 : size.height }

  private static let passes = [(0, 8), (4, 8), (2, 4), (1, 2)]
}

/// The colours of a frame, each a canvas pixel: red in the lowest eight bits, alpha in the highest.
struct GIFPalette {
  private let colours: [UInt32]

  /// Indices that the file defines no colour for are black, as browsers have it; a file without any
  /// palette means grey levels, as Pillow has it.
  init(_ map: UnsafeMutablePointer<ColorMapObject>?) {
    guard let map = unsafe map, let table = unsafe map.pointee.Colors else {
      colours = (0...255).map { 0xFF00_0000 | $0 * 0x01_0101 }
      return
    }
    let count = unsafe min(256, max(0, Int(map.pointee.ColorCount)))
    colours = (0..<256).map { index in
      guard index < count else { return 0xFF00_0000 }
      let colour = unsafe table[index]
      return 0xFF00_0000 | UInt32(colour.Blue) << 16 | UInt32(colour.Green) << 8
        | UInt32(colour.Red)
    }
  }

  subscript(index: UInt8) -> UInt32 { colours[Int(index)] }
}
