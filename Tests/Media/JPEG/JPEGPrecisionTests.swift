import Media
import Testing

/// Expected errors are computed by hand from the definition of the transform.
@Suite struct JPEGPrecisionTests {
  private static func component(
    step: Int, side: Int, missing: [Int: Int] = [:]
  ) -> JPEGPrecision.Component {
    JPEGPrecision.Component(
      steps: [Int](repeating: step, count: 64),
      missingBits: (0..<64).map { missing[$0] ?? 0 }, side: side)
  }

  @Test("A scale asks for the coefficients that its transform reads, and no others")
  func used() {
    let reads = { (index: Int, side: Int) in
      JPEGPrecision([Self.component(step: 1, side: side, missing: [index: -1])]).error == nil
    }
    // Of libjpeg-turbo's transforms (jidctred.c): the mean; rows and columns 0, 1, 3, 5, 7; all but 4.
    for (side, count) in [1: 1, 2: 25, 4: 49, 8: 64] {
      #expect((0..<64).count { reads($0, side) } == count, "\(side)")
    }
    // In zigzag order 10 is row 4 of column 0, 14 column 4 of row 0, 3 row 2 of column 0.
    #expect(!reads(10, 4) && !reads(14, 4) && reads(3, 4))
    #expect(!reads(3, 2) && reads(1, 2) && !reads(1, 1) && reads(0, 1))
  }

  @Test("The error is that of the missing bits, in the samples that are delivered")
  func error() throws {
    // A step of 16 for the mean of 64 samples is 2 for each, and a plain area lacks it everywhere.
    let mean = JPEGPrecision([Self.component(step: 16, side: 1, missing: [0: 1])])
    #expect(abs(try #require(mean.error) - 4) < 1e-9)
    // Two bits: up to 3 steps.
    let two = JPEGPrecision([Self.component(step: 16, side: 8, missing: [0: 2])])
    #expect(abs(try #require(two.error) - 36) < 1e-9)
    // One bit of any other coefficient is there two times of three; two make 3 × 4 / 3 = 4.
    for (bits, square) in [1: 2 / 3.0, 2: 4] {
      let wave = JPEGPrecision([Self.component(step: 16, side: 8, missing: [1: bits])])
      #expect(abs(try #require(wave.error) - 4 * square) < 1e-9)
    }
    // Red and blue follow the two colour differences by 1.402 and 1.772 (BT.601).
    let exact = Self.component(step: 16, side: 8)
    let blue = Self.component(step: 16, side: 8, missing: [5: 1])
    let luma = try #require(JPEGPrecision([blue, exact, exact]).error)
    let colour = try #require(JPEGPrecision([exact, blue, exact]).error)
    #expect(abs(colour / luma - (1.772 * 1.772 + 0.344 * 0.344) / 3) < 0.001)
  }

  @Test("Errors of several components count as they meet in red, green and blue at worst")
  func meeting() throws {
    let exact = Self.component(step: 8, side: 1)
    let off = Self.component(step: 8, side: 1, missing: [0: 1])
    // One in Y and Cb is 1, 1 - 0.344136 and 1 + 1.772 in red, green and blue (ITU-T T.871).
    let (one, blue, red) = (1.0, 1.772, 1.402)
    let green = (blue: 0.344136, red: 0.714136)
    let two = try #require(JPEGPrecision([off, off, exact]).error)
    let twoSquares = one + (1 - green.blue) * (1 - green.blue) + (1 + blue) * (1 + blue)
    #expect(abs(two - twoSquares / 3) < 1e-6)
    let all = try #require(JPEGPrecision([off, off, off]).error)
    let rest = 1 - green.blue - green.red
    let allSquares = (1 + red) * (1 + red) + rest * rest + (1 + blue) * (1 + blue)
    #expect(abs(all - allSquares / 3) < 1e-6)
    // Each alone could not be seen.
    let close = Self.component(step: 8, side: 1, missing: [0: 1])
    #expect(JPEGPrecision([close, exact, exact]).suffices())
    #expect(JPEGPrecision([exact, close, exact]).suffices())
    #expect(!JPEGPrecision([close, close, close]).suffices())
  }

  @Test("Of what is scaled down, the finest detail counts less, and the mean as before")
  func scaledDown() throws {
    for side in [2, 4, 8] {
      let shares = [false, true].map { isScaledDown in
        // The mean, and the last coefficient of the first row that a transform reads.
        [0, 1].map { index in
          var component = Self.component(step: 1, side: side, missing: [index: 1])
          component.isScaledDown = isScaledDown
          return JPEGPrecision([component]).error ?? 0
        }
      }
      #expect(shares[1][0] == shares[0][0])
      #expect(shares[1][1] < shares[0][1] && shares[1][1] > 0)
    }
  }

  @Test("Exact is enough, an error that shows is not, one bit is in a hurry")
  func sufficiency() {
    let coarse = Self.component(step: 40, side: 8, missing: [1: 1])
    #expect(JPEGPrecision([Self.component(step: 40, side: 8)]).suffices())
    #expect(!JPEGPrecision([coarse]).suffices())
    #expect(JPEGPrecision([coarse]).suffices(inHurry: true))
    let two = Self.component(step: 40, side: 8, missing: [1: 2])
    #expect(!JPEGPrecision([two]).suffices(inHurry: true))
    #expect(JPEGPrecision([Self.component(step: 2, side: 8, missing: [1: 1])]).suffices())
    let absent = Self.component(step: 1, side: 8, missing: [40: -1])
    #expect(!JPEGPrecision([absent]).suffices(inHurry: true))
  }

  @Test("Inks count only when they are exact")
  func inks() {
    let exact = Self.component(step: 1, side: 8)
    let close = Self.component(step: 1, side: 8, missing: [63: 1])
    #expect(JPEGPrecision([exact, exact, exact, exact]).suffices())
    #expect(!JPEGPrecision([exact, exact, exact, close]).suffices())
  }
}
