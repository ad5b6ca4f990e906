internal import Media

/// A canvas of red, green, blue and straight alpha; transparent at first.
@safe struct AnimationCanvas: ~Copyable {
  let size: PixelSize
  private let store: PixelStore

  private init(size: PixelSize, store: consuming PixelStore) {
    self.size = size
    self.store = store
  }

  /// The caller has checked the size against the limits.
  static func allocate(_ size: PixelSize) throws(DecodeFailure) -> AnimationCanvas {
    AnimationCanvas(
      size: size,
      store: try PixelStore.allocate(rows: size.height, bytesPerRow: size.width * 4))
  }

  /// Lends a row for writing, one number a pixel: red in the lowest eight bits, alpha in the highest.
  ///
  /// - Safety: the pointer is good while the canvas lives, for `size.width` pixels.
  @unsafe func pixels(row: Int) -> UnsafeMutablePointer<UInt32> {
    unsafe UnsafeMutableRawPointer(store.row(row)).assumingMemoryBound(to: UInt32.self)
  }

  /// Lends a row as bytes.
  func withRow(
    _ row: Int, _ body: (Span<UInt8>) throws(DecodeFailure) -> Void
  ) throws(DecodeFailure) {
    try body(unsafe Span(_unsafeStart: UnsafePointer(store.row(row)), count: store.bytesPerRow))
  }

  /// Makes a part transparent.
  func clear(_ part: PixelRectangle) {
    for row in part.top..<part.bottom {
      unsafe (pixels(row: row) + part.left).update(repeating: 0, count: part.width)
    }
  }

  /// A copy of a part, to be put back later.
  func copy(_ part: PixelRectangle) throws(DecodeFailure) -> AnimationCanvas {
    let copy = try AnimationCanvas.allocate(part.size)
    for row in 0..<part.height {
      unsafe copy.pixels(row: row)
        .update(from: pixels(row: part.top + row) + part.left, count: part.width)
    }
    return copy
  }

  /// Puts a copy of a part back.
  func restore(_ part: PixelRectangle, from copy: borrowing AnimationCanvas) {
    for row in 0..<part.height {
      unsafe (pixels(row: part.top + row) + part.left)
        .update(from: copy.pixels(row: row), count: part.width)
    }
  }
}

/// What becomes of a frame's part of the canvas before the next one is drawn.
enum FrameDisposal: Sendable, Hashable {
  case keep
  /// It becomes transparent.
  case clear
  /// It becomes what it was before the frame.
  case restore
}

/// The disposal that is due before the next frame.
struct DueDisposal: ~Copyable {
  private var part: PixelRectangle?
  private var kind = FrameDisposal.keep
  private var backup: AnimationCanvas?

  /// Carries out what the frame before wants.
  mutating func carryOut(on canvas: borrowing AnimationCanvas) {
    guard let part else { return }
    switch kind {
    case .keep: break
    case .clear: canvas.clear(part)
    case .restore: if let copy = backup.take() { canvas.restore(part, from: copy) }
    }
    self.part = nil
  }

  /// Notes what a frame wants that is about to be drawn. The first of an animation cannot bring back
  /// what was before.
  mutating func note(
    _ kind: FrameDisposal, _ part: PixelRectangle?, on canvas: borrowing AnimationCanvas,
    isFirst: Bool
  ) throws(DecodeFailure) {
    self.kind = kind == .restore && isFirst ? .clear : kind
    self.part = part
    backup = nil
    if self.kind == .restore, let part { backup = try canvas.copy(part) }
  }
}
