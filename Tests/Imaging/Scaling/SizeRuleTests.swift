import Imaging
import Media
import Testing

@Suite struct SizeRuleTests {
  typealias Size = PixelSize

  private func planned(
    _ stored: (Int, Int), box: (Int, Int), fit: RenditionProfile.Fit = .contain,
    orientation: Orientation = .up, crop: UnitRectangle? = nil
  ) -> ScalingPlan {
    ScalingPlan(
      RenderRequest.Rendition(
        box: Size(width: box.0, height: box.1), fit: fit, stillBudget: nil, animatedBudget: nil),
      storedSize: Size(width: stored.0, height: stored.1), orientation: orientation, crop: crop)
  }

  @Test(
    "A contained picture is the largest that fits, rounded to nearest, never enlarged",
    arguments: [
      ((4032, 3024), (1320, 960), (1280, 960)), ((4000, 2250), (1320, 960), (1320, 743)),
      ((800, 600), (1320, 960), (800, 600)), ((10_000, 1), (1320, 960), (1320, 1)),
      ((1, 10_000), (1320, 960), (1, 960)), ((1, 1), (1, 1), (1, 1)),
      ((1321, 5), (1320, 960), (1320, 5)), ((3, 1000), (10, 10), (1, 10)),
    ])
  func contain(stored: (Int, Int), box: (Int, Int), expected: (Int, Int)) {
    let plan = planned(stored, box: box)
    #expect(plan.shownSize == Size(width: expected.0, height: expected.1))
    #expect(plan.part == .whole)
  }

  @Test("The box applies to the picture as displayed")
  func orientedBox() {
    let plan = planned((4032, 3024), box: (1320, 960), orientation: .right)
    // Displayed 3024 × 4032 → 720 × 960; stored, that is 960 × 720.
    #expect(plan.size == Size(width: 960, height: 720))
  }

  @Test(
    "A covering picture fills the box as far as it need not be enlarged",
    arguments: [
      ((4032, 3024), (300, 300), (300, 300)), ((200, 100), (300, 300), (100, 100)),
      ((100, 1000), (300, 300), (100, 100)), ((400, 200), (300, 150), (300, 150)),
      ((1, 500), (300, 300), (1, 1)),
    ])
  func cover(stored: (Int, Int), box: (Int, Int), expected: (Int, Int)) {
    #expect(
      planned(stored, box: box, fit: .cover).shownSize
        == Size(width: expected.0, height: expected.1))
  }

  @Test("A part is cut out of the scaled whole, and a given crop is turned into stored coordinates")
  func crops() {
    let cut = planned((400, 200), box: (100, 100), fit: .cover)
    #expect(cut.part == .whole && cut.size == Size(width: 200, height: 100))
    #expect(cut.cut == Size(width: 100, height: 100))
    // Of a panorama no more than four times the cut is kept.
    let strip = planned((8000, 200), box: (100, 100), fit: .cover)
    #expect(strip.part == UnitRectangle(x: 0.45, y: 0, width: 0.1, height: 1))
    #expect(strip.size == Size(width: 400, height: 100))
    #expect(planned((200, 200), box: (100, 100), fit: .cover).cut == nil)
    // Shown turned clockwise: displayed left is the stored bottom.
    let crop = UnitRectangle(x: 0, y: 0.25, width: 0.5, height: 0.25)
    let turned = planned((400, 200), box: (100, 100), fit: .cover, orientation: .right, crop: crop)
    #expect(turned.part == UnitRectangle(x: 0.25, y: 0.5, width: 0.25, height: 0.5))
    // Displayed 200 × 400; half of the width, a quarter of the height: 100 × 100.
    #expect(turned.size == Size(width: 100, height: 100))
  }

  @Test("A decoder that scales is asked for the whole picture, not for the part that is shown")
  func needed() {
    let plan = planned((400, 200), box: (50, 50), fit: .cover)
    #expect(plan.needed == Size(width: 100, height: 50))
  }
}
