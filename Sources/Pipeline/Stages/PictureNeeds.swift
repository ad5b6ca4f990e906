package import Media

/// What a job's pictures need of a file: more of it need not be fetched.
package struct PictureNeeds: Sendable, Hashable {
  private let renditions: [RenderRequest.Rendition]

  package init(_ profiles: [RenditionProfile]) {
    renditions = profiles.map(RenderRequest.Rendition.init)
  }

  /// The scale at which a JPEG of a stored size is decoded, in eighths, whichever way it is turned.
  package func eighths(of size: PixelSize) -> Int {
    [Orientation.up, .right].map { orientation in
      let needed = renditions.map {
        ScalingPlan($0, storedSize: size, orientation: orientation).needed
      }
      let most = PixelSize(
        width: needed.map(\.width).max() ?? size.width,
        height: needed.map(\.height).max() ?? size.height)
      return JPEGScale.eighths(of: size, needed: most)
    }.max() ?? 8
  }

  /// Whether the beginning of a file that was fetched for other pictures is enough for these.
  package func areMet(by beginning: FileBeginning) -> Bool {
    eighths(of: beginning.size) <= beginning.eighths
  }
}

/// What the beginning of a progressive JPEG is good for.
package struct FileBeginning: Sendable, Hashable {
  /// As stored.
  package var size: PixelSize
  /// The largest scale, in eighths, at which the rest would not be seen.
  package var eighths: Int
  /// Whether the rest was left out for want of time: one bit of each coefficient lacks.
  package var isHurried = false

  package init(size: PixelSize, eighths: Int, isHurried: Bool = false) {
    self.size = size
    self.eighths = eighths
    self.isHurried = isHurried
  }
}

extension FileBeginning {
  /// As an index keeps it: `4608x3456 2`.
  var text: String { "\(size) \(eighths)" }

  init?(_ text: some StringProtocol) {
    let words = text.split(separator: " ")
    guard words.count == 2, let size = PixelSize(contractText: String(words[0])),
      let eighths = Int(words[1])
    else { return nil }
    self.init(size: size, eighths: eighths)
  }
}
