import TestSupport

/// Pictures whose every pixel is known, made for an encoder.
struct TestPicture {
  var width: Int
  var height: Int
  /// 3 RGB, 4 RGBA.
  var components: Int
  /// 8-bit samples.
  var samples: [UInt8]

  /// Smooth waves, as a photograph without noise has them.
  static func waves(width: Int, height: Int, hasAlpha: Bool = false) -> TestPicture {
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        samples.append(UInt8(40 + 160 * x / width))
        samples.append(UInt8(200 - 150 * y / height))
        samples.append(UInt8(60 + 60 * x / width + 80 * y / height))
        if hasAlpha { samples.append(UInt8(255 * x / (width - 1))) }
      }
    }
    return TestPicture(
      width: width, height: height, components: hasAlpha ? 4 : 3, samples: samples)
  }

  /// Four fields: red and green above, blue and white below.
  static func quadrants(width: Int, height: Int) -> TestPicture {
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        switch (x < width / 2, y < height / 2) {
        case (true, true): samples += [250, 5, 5]
        case (false, true): samples += [5, 250, 5]
        case (true, false): samples += [5, 5, 250]
        case (false, false): samples += [250, 250, 250]
        }
      }
    }
    return TestPicture(width: width, height: height, components: 3, samples: samples)
  }

  var pixelMap: PixelMap {
    PixelMap(width: width, height: height, components: components, samples: samples)
  }

  /// The part that starts at x, y.
  func cut(x: Int, y: Int, width: Int, height: Int) -> TestPicture {
    var part = TestPicture(width: width, height: height, components: components, samples: [])
    for row in y..<y + height {
      let start = (row * self.width + x) * components
      part.samples += samples[start..<start + width * components]
    }
    return part
  }

  /// Writes the picture as PNG.
  func write(to path: String) async throws {
    let kind = components == 4 ? "RGB_ALPHA" : "RGB"
    let header =
      "P7\nWIDTH \(width)\nHEIGHT \(height)\nDEPTH \(components)\nMAXVAL 255\n"
      + "TUPLTYPE \(kind)\nENDHDR\n"
    try await run(
      Command.tool(
        "convert-im6.q16", ["pam:-", "png\(components * 8):\(path)"],
        input: Array(header.utf8) + samples))
  }

  /// The picture as a HEIC file.
  func heic(_ options: String...) async throws -> [UInt8] { try await heic(options) }

  func heic(_ options: [String]) async throws -> [UInt8] {
    try await encoded("heif-enc", ["-q", "97", "-p", "chroma=444"] + options, output: "-o")
  }

  /// The picture as an AVIF file, 4:4:4 and nearly without loss.
  func avif(_ options: String...) async throws -> [UInt8] {
    try await encoded(
      "avifenc",
      ["-s", "9", "--min", "0", "--max", "4", "--minalpha", "0", "--maxalpha", "0"] + options,
      output: "-o")
  }

  private func encoded(
    _ program: String, _ options: [String], output: String
  ) async throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    let (source, target) = (folder.path(of: "in.png"), folder.path(of: "out.heif"))
    try await write(to: source)
    try await run(Command.tool(program, options + [source, output, target]))
    return try folder.read("out.heif")
  }
}

/// Runs a command that has to succeed.
private func run(_ command: Command) async throws {
  let outcome = try await command.run()
  guard outcome.ending == .exited(0) else { throw FailedTool(errors: outcome.errorText) }
}

struct FailedTool: Error {
  let errors: String
}
