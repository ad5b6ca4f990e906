/// A device's box and byte budgets (contract §5).
package struct RenditionProfile: Sendable, Hashable {
  package enum Fit: String, Sendable, Hashable, CaseIterable {
    /// The whole picture inside the box.
    case contain
    /// The box filled, the rest cut away.
    case cover
  }

  package var name: String
  /// The box in pixels; pictures are never enlarged to fill it.
  package var box: PixelSize
  package var fit: Fit
  /// Bytes a still may have; nil lifts the budget.
  package var stillBudget: Int?
  /// Bytes an animation may have, `Int.max` without a budget; nil where the device shows stills only.
  package var animatedBudget: Int?

  package init(
    name: String, box: PixelSize, fit: Fit, stillBudget: Int?, animatedBudget: Int?
  ) {
    self.name = name
    self.box = box
    self.fit = fit
    self.stillBudget = stillBudget
    self.animatedBudget = animatedBudget
  }

  package static let iphone = RenditionProfile(
    name: "iphone", box: PixelSize(width: 1320, height: 960), fit: .contain,
    stillBudget: 500_000, animatedBudget: 5_000_000)
  package static let ipad = RenditionProfile(
    name: "ipad", box: PixelSize(width: 1408, height: 704), fit: .contain,
    stillBudget: 500_000, animatedBudget: 5_000_000)
  package static let thumb = RenditionProfile(
    name: "thumb", box: PixelSize(width: 300, height: 300), fit: .cover,
    stillBudget: 60_000, animatedBudget: nil)
  package static let android = RenditionProfile(
    name: "android", box: PixelSize(width: 1024, height: 512), fit: .contain,
    stillBudget: 300_000, animatedBudget: nil)

  package static let builtIn = [iphone, ipad, thumb, android]
}

extension RenditionProfile {
  /// A built-in profile by its name, or a box of one's own (`WxH`, `WxH@S`) with the budgets of
  /// `iphone`; nil for anything else.
  package init?(named name: String) {
    if let profile = Self.builtIn.first(where: { $0.name == name }) {
      self = profile
    } else if let box = PixelSize(contractText: name) {
      self.init(
        name: name, box: box, fit: .contain, stillBudget: Self.iphone.stillBudget,
        animatedBudget: Self.iphone.animatedBudget)
    } else {
      return nil
    }
  }
}
