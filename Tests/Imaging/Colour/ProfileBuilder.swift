import Foundation

/// Writes small ICC profiles, byte by byte as ICC.1:2010 lays them out.
enum ProfileBuilder {
  /// Primaries adapted to D50, as columns of XYZ.
  struct Colorants {
    var red: [Double]
    var green: [Double]
    var blue: [Double]

    /// Apple's Display P3 profile.
    static let displayP3 = Colorants(
      red: [0.51512, 0.24120, -0.00105], green: [0.29198, 0.69225, 0.04189],
      blue: [0.15710, 0.06657, 0.78407])
    /// The sRGB profile of the ICC.
    static let standard = Colorants(
      red: [0.43607, 0.22249, 0.01392], green: [0.38515, 0.71687, 0.09708],
      blue: [0.14307, 0.06061, 0.71410])
  }

  enum Curve {
    case sRGB
    case gamma(Double)
  }

  static func rgb(
    _ colorants: Colorants, _ curve: Curve, deviceClass: String = "mntr"
  ) -> [UInt8] {
    let tone = curveTag(curve)
    return profile(
      deviceClass: deviceClass, space: "RGB ",
      tags: [
        ("rXYZ", xyzTag(colorants.red)), ("gXYZ", xyzTag(colorants.green)),
        ("bXYZ", xyzTag(colorants.blue)), ("rTRC", tone), ("gTRC", tone), ("bTRC", tone),
        ("wtpt", xyzTag([0.9642, 1, 0.8249])),
      ])
  }

  static func gray(_ curve: Curve) -> [UInt8] {
    profile(
      deviceClass: "mntr", space: "GRAY",
      tags: [("kTRC", curveTag(curve)), ("wtpt", xyzTag([0.9642, 1, 0.8249]))])
  }

  /// Inks to Lab by a table of two points an axis: paper is `white`, any full ink or black is `inked`.
  static func cmyk(white: [UInt8], inked: [UInt8]) -> [UInt8] {
    var table: [UInt8] = text("mft1") + [0, 0, 0, 0, 4, 3, 2, 0]
    for value in [1.0, 0, 0, 0, 1, 0, 0, 0, 1] { table += fixed(value) }
    let ramp = (0...255).map { UInt8($0) }
    for _ in 0..<4 { table += ramp }
    for corner in 0..<16 { table += corner == 0 ? white : inked }
    for _ in 0..<3 { table += ramp }
    return profile(
      deviceClass: "prtr", space: "CMYK", connection: "Lab ",
      tags: [
        ("A2B0", table), ("A2B1", table), ("A2B2", table), ("wtpt", xyzTag([0.9642, 1, 0.8249])),
      ])
  }

  private static func profile(
    deviceClass: String, space: String, connection: String = "XYZ ",
    tags: [(String, [UInt8])]
  ) -> [UInt8] {
    var directory = number(UInt32(tags.count))
    var data: [UInt8] = []
    let start = 128 + 4 + tags.count * 12
    for (name, tag) in tags {
      directory += text(name) + number(UInt32(start + data.count)) + number(UInt32(tag.count))
      data += tag + [UInt8](repeating: 0, count: (4 - tag.count % 4) % 4)
    }
    var header = number(UInt32(start + data.count)) + [0, 0, 0, 0, 4, 0x20, 0, 0]
    header += text(deviceClass) + text(space) + text(connection)
    header += [UInt8](repeating: 0, count: 12) + text("acsp")
    header += [UInt8](repeating: 0, count: 28)
    header += fixed(0.9642) + fixed(1) + fixed(0.8249)
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + directory + data
  }

  private static func curveTag(_ curve: Curve) -> [UInt8] {
    switch curve {
    case .sRGB:
      [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
        .reduce(text("para") + [0, 0, 0, 0, 0, 3, 0, 0]) { $0 + fixed($1) }
    case .gamma(let exponent):
      text("para") + [0, 0, 0, 0, 0, 0, 0, 0] + fixed(exponent)
    }
  }

  private static func xyzTag(_ values: [Double]) -> [UInt8] {
    values.reduce(text("XYZ ") + [0, 0, 0, 0]) { $0 + fixed($1) }
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func number(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  /// s15Fixed16Number.
  private static func fixed(_ value: Double) -> [UInt8] {
    number(UInt32(bitPattern: Int32((value * 65_536).rounded())))
  }
}
