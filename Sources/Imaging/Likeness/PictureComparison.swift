package import Media

/// Whether a thumbnail shows the same as its picture, by as much of the picture as is seen.
package struct PictureComparison: Sendable {
  package enum Verdict: Sendable, Hashable {
    /// Enough was seen, and all of it is alike.
    case same
    /// A part is not alike.
    case different
    /// Too little was seen, or what cannot be compared.
    case undecided
  }

  /// How far the mean of a part may be off, 0…255, and all in the mean: what the filters of cameras
  /// and the first scans of a file do. What was painted over is further off.
  package static let mostOff = 20.0
  package static let usuallyOff = 2.5
  /// Beyond these it is another picture; between, nothing is known: small thumbnails blur what is sharp.
  package static let partOfAnother = 64.0
  package static let usualOfAnother = 10.0
  /// Parts along each side of a picture.
  package static let partsPerSide = 32
  /// Whatever shows through may have any colour in the thumbnail.
  private static let leastOpacity = 0.99

  private let thumbnail: CoarsePicture
  private let orientation: Orientation
  private let pictureOrientation: Orientation
  private let deadline: Deadline?
  private var parts = 0
  private var sum = SIMD3<Double>.zero
  /// How far the part is off that is furthest.
  package private(set) var furthest = 0.0
  private var isTransparent = false
  /// Whether what was seen of the picture is enough to know all of it by: told by who shows it.
  package var hasSeenEnough = false

  /// Both orientations tell how rows are turned for display. `time` is what may be spent, nil for any.
  package init(
    with thumbnail: CoarsePicture, orientation: Orientation, pictureOrientation: Orientation,
    time: Duration? = nil
  ) {
    self.thumbnail = thumbnail
    self.orientation = orientation
    self.pictureOrientation = pictureOrientation
    deadline = time.map { .after($0) }
  }

  /// How far a part is off in the mean, by the component that is furthest.
  package var usualDistance: Double { parts > 0 ? sum.max() / Double(parts) : 0 }

  package var verdict: Verdict {
    guard thumbnail.isWhole else { return .undecided }
    if furthest > Self.partOfAnother { return .different }
    guard hasSeenEnough, !isTransparent, parts > 0 else { return .undecided }
    if usualDistance > Self.usualOfAnother { return .different }
    return furthest <= Self.mostOff && usualDistance <= Self.usuallyOff ? .same : .undecided
  }

  /// Whether nothing more needs to be seen: it is known, or time is over. `step` is what the next look
  /// will take.
  package func isOver(nextTaking step: Duration = .zero) -> Bool {
    furthest > Self.partOfAnother || isTransparent || !thumbnail.isWhole
      || deadline.map { $0.remaining <= step } ?? false
  }

  /// Compares a part of the picture as its rows are stored.
  package mutating func compare(_ colour: PartColour, at place: UnitRectangle) {
    guard thumbnail.isWhole else { return }
    guard colour.opacity >= Self.leastOpacity else {
      isTransparent = true
      return
    }
    let shown = place.displayed(pictureOrientation).stored(orientation)
    let off = colour.distance(to: thumbnail.mean(of: shown))
    furthest = max(furthest, off.max())
    sum += off
    parts += 1
  }
}
