import Foundation
import Imaging
import Media
import Testing

@Suite(.timeLimit(.minutes(15))) struct ColourTests {
  /// Samples of one colour, converted as a picture with this header would be.
  private func converted(
    _ colour: [UInt8], _ model: ColourModel = .rgb, hasAlpha: Bool = false,
    header: (inout PictureHeader) -> Void
  ) throws -> (picture: BoundedPicture<UInt8>, warnings: [Problem]) {
    var (picture, warnings) = (picture(colour, model, hasAlpha: hasAlpha), [Problem]())
    picture = try treatment(model, &warnings, header).apply(picture)
    return (picture, warnings)
  }

  /// The same for 16-bit samples.
  private func converted(
    sixteen colour: [UInt16], _ model: ColourModel = .rgb, hasAlpha: Bool = false,
    header: (inout PictureHeader) -> Void
  ) throws -> [UInt8] {
    var warnings: [Problem] = []
    let treatment = treatment(model, &warnings, header)
    #expect(treatment.wantsSixteenBits(.sixteen))
    return try treatment.apply(picture(colour, model, hasAlpha: hasAlpha)).planes[0].samples
  }

  private func treatment(
    _ model: ColourModel, _ warnings: inout [Problem], _ change: (inout PictureHeader) -> Void
  ) -> ColourTreatment {
    var header = PictureHeader(
      facts: PictureFacts(format: .png, storedSize: PixelSize(width: 1, height: 1)))
    change(&header)
    return ColourTreatment.choose(header, model: model, warnings: &warnings)
  }

  private func picture<Sample: PixelSample>(
    _ colour: [Sample], _ model: ColourModel, hasAlpha: Bool
  ) -> BoundedPicture<Sample> {
    BoundedPicture(
      model: model, hasAlpha: hasAlpha,
      planes: [
        PixelPlane(
          size: PixelSize(width: 1, height: 1), components: colour.count, samples: colour)
      ])
  }

  private func expectNear(_ samples: [UInt8], _ expected: [Int], within tolerance: Int = 1) {
    #expect(
      samples.count == expected.count
        && zip(samples, expected).allSatisfy { abs(Int($0) - $1) <= tolerance },
      "\(samples) is not \(expected)")
  }

  /// Display P3 to sRGB by the published matrix (CSS Color 4, §18), sRGB's curve on both sides.
  private func p3(_ colour: [UInt8]) -> [Int] {
    let light = colour.map { value -> Double in
      let v = Double(value) / 255
      return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
    }
    let matrix = [
      [1.224_940_2, -0.224_940_2, 0], [-0.042_056_9, 1.042_056_9, 0],
      [-0.019_637_6, -0.078_636_1, 1.098_273_7],
    ]
    return matrix.map { row in
      let sum = max(0, min(1, zip(row, light).reduce(0) { $0 + $1.0 * $1.1 }))
      let coded = sum <= 0.003_130_8 ? sum * 12.92 : 1.055 * pow(sum, 1 / 2.4) - 0.055
      return Int((coded * 255).rounded())
    }
  }

  private static let p3Colours: [[UInt8]] = [
    [255, 0, 0], [0, 255, 0], [200, 100, 50], [128, 128, 128], [10, 20, 30], [255, 255, 255],
    [0, 0, 0], [90, 200, 180],
  ]

  @Test("Display P3 becomes sRGB, clipped where sRGB ends", arguments: p3Colours)
  func displayP3(colour: [UInt8]) throws {
    let profile = ProfileBuilder.rgb(.displayP3, .sRGB)
    let (picture, warnings) = try converted(colour) { $0.iccProfile = profile }
    expectNear(picture.planes[0].samples, p3(colour), within: 2)
    #expect(warnings == [])
    let sixteen = try converted(sixteen: colour.map { UInt16($0) * 257 }) {
      $0.iccProfile = profile
    }
    expectNear(sixteen, p3(colour), within: 1)
    // The same primaries by code points.
    let coded = try converted(colour) {
      $0.codePoints = ColourCodePoints(primaries: 12, transfer: 13)
    }
    expectNear(coded.picture.planes[0].samples, p3(colour), within: 2)
  }

  @Test("Alpha passes a conversion untouched")
  func alpha() throws {
    let profile = ProfileBuilder.rgb(.displayP3, .sRGB)
    let (picture, _) = try converted([200, 100, 50, 77], hasAlpha: true) {
      $0.iccProfile = profile
    }
    expectNear(picture.planes[0].samples, p3([200, 100, 50]) + [77], within: 2)
    let gray = try converted([100, 33], .gray, hasAlpha: true) {
      $0.iccProfile = ProfileBuilder.gray(.gamma(1))
    }
    // Light 100/255 is 0.392, in sRGB 0.659.
    expectNear(gray.picture.planes[0].samples, [168, 33])
  }

  @Test("sRGB by any name is left alone, to the bit")
  func standard() throws {
    var warnings: [Problem] = []
    let headers: [(inout PictureHeader) -> Void] = [
      { $0.iccProfile = ProfileBuilder.rgb(.standard, .sRGB) },
      { $0.codePoints = ColourCodePoints(primaries: 1, transfer: 13) },
      { $0.codePoints = ColourCodePoints(primaries: 1, transfer: 1) },
      { $0.codePoints = ColourCodePoints(primaries: 2, transfer: 2) },
      { $0.gamma = 0.45455 }, { _ in },
    ]
    for header in headers {
      #expect(treatment(.rgb, &warnings, header) == .none)
    }
    #expect(treatment(.gray, &warnings) { $0.iccProfile = ProfileBuilder.gray(.sRGB) } == .none)
    #expect(
      treatment(.rgb, &warnings) { $0.iccProfile = ProfileBuilder.rgb(.standard, .gamma(2.2)) }
        != .none)
    #expect(warnings == [])
  }

  @Test("Gamma and primaries of a PNG are obeyed")
  func stated() throws {
    // Linear samples: light 0.5 is 188 in sRGB.
    let linear = try converted([128, 128, 128]) { $0.gamma = 1 }
    expectNear(linear.picture.planes[0].samples, [188, 188, 188])
    let primaries = Chromaticities(
      white: .init(x: 0.3127, y: 0.3290), red: .init(x: 0.68, y: 0.32),
      green: .init(x: 0.265, y: 0.69), blue: .init(x: 0.15, y: 0.06))
    let wide = try converted([200, 100, 50]) {
      $0.gamma = 0.45455
      $0.chromaticities = primaries
    }
    expectNear(wide.picture.planes[0].samples, p3([200, 100, 50]), within: 2)
  }

  @Test("Impossible primaries are ignored")
  func degenerate() throws {
    let point = Chromaticities.Point(x: 0, y: 0)
    let (picture, _) = try converted([200, 100, 50]) {
      $0.gamma = 1
      $0.chromaticities = Chromaticities(white: point, red: point, green: point, blue: point)
    }
    #expect(picture.planes[0].samples == [200, 100, 50])
  }

  @Test("A profile that is broken, of another kind or too large is ignored with a warning")
  func broken() throws {
    let profiles: [[UInt8]] = [
      [1, 2, 3], [], Array(ProfileBuilder.rgb(.displayP3, .sRGB).prefix(200)),
      ProfileBuilder.gray(.sRGB), ProfileBuilder.rgb(.displayP3, .sRGB, deviceClass: "link"),
      ProfileBuilder.rgb(.displayP3, .sRGB) + [UInt8](repeating: 0, count: 8_000_000),
    ]
    for profile in profiles {
      let (picture, warnings) = try converted([200, 100, 50]) { $0.iccProfile = profile }
      #expect(picture.planes[0].samples == [200, 100, 50])
      #expect(warnings.map(\.code) == [.brokenProfile])
      #expect(warnings.map(\.severity) == [.warning])
    }
  }

  @Test("Every truncation of a profile converts or warns, and never fails")
  func truncations() throws {
    let profile = ProfileBuilder.rgb(.displayP3, .sRGB)
    for length in 0..<profile.count {
      _ = try converted([200, 100, 50]) { $0.iccProfile = Array(profile.prefix(length)) }
    }
  }

  @Test("Inks without a profile are multiplied with paper white")
  func deviceCMYK() throws {
    func rgb(_ inks: [UInt8]) throws -> [UInt8] {
      try converted(inks, .cmyk) { _ in }.picture.planes[0].samples
    }
    #expect(try rgb([0, 0, 0, 0]) == [255, 255, 255])
    #expect(try rgb([255, 0, 0, 0]) == [0, 255, 255])
    #expect(try rgb([0, 0, 0, 255]) == [0, 0, 0])
    // (1 − 51/255) × (1 − 102/255) = 0.8 × 0.6
    #expect(try rgb([51, 0, 255, 102]) == [122, 153, 0])
  }

  @Test("Inks with a profile become what its table says")
  func profiledCMYK() throws {
    // Lab of 8-bit tables: L 0…255 is 0…100, a and b are offset by 128. Paper is white, ink is
    // CIE red: L 54.29, a 80.80, b 69.89 (D50) is sRGB (255, 0, 0).
    let profile = ProfileBuilder.cmyk(white: [255, 128, 128], inked: [138, 209, 198])
    func rgb(_ inks: [UInt8]) throws -> [UInt8] {
      try converted(inks, .cmyk) { $0.iccProfile = profile }.picture.planes[0].samples
    }
    expectNear(try rgb([0, 0, 0, 0]), [255, 255, 255])
    let red = try rgb([0, 255, 255, 0])
    #expect(red[0] >= 250 && red[1] <= 30 && red[2] <= 30)
  }

  @Test("PQ: black stays, reference white is bright, peaks are white, grays stay gray and in order")
  func perceptualQuantizer() throws {
    // ST 2084 codes of 0, 10, 50, 100, 203, 400, 1000 and 10000 nits.
    let codes = [0, 0.3022, 0.4402, 0.5081, 0.5807, 0.6526, 0.7518, 1].map {
      UInt16(($0 * 65_535).rounded())
    }
    let samples = try codes.map { code in
      let rgb = try converted(sixteen: [code, code, code]) {
        $0.codePoints = ColourCodePoints(primaries: 9, transfer: 16)
      }
      #expect(Set(rgb).count <= 2 && rgb.max()! - rgb.min()! <= 1)
      return Int(rgb[1])
    }
    // Under the knee light is kept: 50 of 203 nits are 0.246, in sRGB 136; 10 are 0.049, 63.
    expectNear([UInt8(samples[0]), UInt8(samples[1]), UInt8(samples[2])], [0, 63, 136])
    #expect(samples == samples.sorted())
    #expect((215...240).contains(samples[4]))
    #expect(samples[5] > samples[4])
    #expect(samples[6] == 255 && samples[7] == 255)
  }

  @Test("HLG: reference white is as bright as PQ's, BT.2020 colours are clipped to sRGB")
  func hybridLogGamma() throws {
    func rgb(_ colour: [Double]) throws -> [UInt8] {
      try converted(sixteen: colour.map { UInt16(($0 * 65_535).rounded()) }) {
        $0.codePoints = ColourCodePoints(primaries: 9, transfer: 18)
      }
    }
    #expect(try rgb([0, 0, 0]) == [0, 0, 0])
    #expect(try rgb([1, 1, 1]) == [255, 255, 255])
    // BT.2408: 75 % is 203 nits.
    let white = try rgb([0.75, 0.75, 0.75])
    let quantized = try converted(sixteen: [38_056, 38_056, 38_056]) {
      $0.codePoints = ColourCodePoints(primaries: 9, transfer: 16)
    }
    expectNear(white, quantized.map { Int($0) }, within: 2)
    let green = try rgb([0, 0.75, 0])
    #expect(green[0] == 0 && green[2] == 0 && green[1] > 200)
  }

  @Test("JFIF's YCbCr is what its definition says")
  func yCbCr() throws {
    let planes = [UInt8(150), 100, 160].map {
      PixelPlane(size: PixelSize(width: 1, height: 1), components: 1, samples: [$0])
    }
    let picture = BoundedPicture(model: .yCbCr, hasAlpha: false, planes: planes)
    #expect(try ColourTreatment.none.apply(picture).planes[0].samples == [195, 137, 100])
  }
}
