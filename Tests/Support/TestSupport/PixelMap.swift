internal import Foundation

/// A picture's samples, read by somebody else's decoder: what ours is compared with.
package struct PixelMap: Sendable, Hashable {
  package let width: Int
  package let height: Int
  /// 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA.
  package let components: Int
  /// Rows from the top, components interleaved, 8 bits each.
  package let samples: [UInt8]

  package init(width: Int, height: Int, components: Int, samples: [UInt8]) {
    self.width = width
    self.height = height
    self.components = components
    self.samples = samples
  }

  /// The components of one pixel.
  package subscript(x: Int, y: Int) -> [UInt8] {
    let start = (y * width + x) * components
    return Array(samples[start..<start + components])
  }

  /// Reads a JPEG by `djpeg` and anything else by ImageMagick; an animation's first frame.
  package static func decode(_ path: String) async throws -> PixelMap {
    let isJPEG = try FileBytes.head(of: path, count: 3) == [0xFF, 0xD8, 0xFF]
    let command =
      isJPEG
      ? try Command.tool("djpeg", ["-pnm", path])
      : try Command.tool("convert-im6.q16", ["\(path)[0]", "-depth", "8", "pam:-"])
    let outcome = try await command.run()
    guard outcome.ending == .exited(0) else { throw UnreadablePixelMap(reason: outcome.errorText) }
    return try PixelMap(netpbm: outcome.output)
  }

  /// Peak signal-to-noise ratio over all components, in decibels; infinite for equal pictures, nil
  /// where the shapes differ.
  package func psnr(to other: PixelMap) -> Double? {
    guard (width, height, components) == (other.width, other.height, other.components) else {
      return nil
    }
    let squares = zip(samples, other.samples).reduce(into: 0) { sum, pair in
      let difference = Int(pair.0) - Int(pair.1)
      sum += difference * difference
    }
    guard squares > 0 else { return .infinity }
    return 10 * log10(255 * 255 * Double(samples.count) / Double(squares))
  }

  /// The mean of each component, 0…255.
  package var averageColour: [Double] {
    (0..<components).map { component in
      let sum = stride(from: component, to: samples.count, by: components)
        .reduce(0) { $0 + Int(samples[$1]) }
      return Double(sum) / Double(max(1, width * height))
    }
  }

  /// The same picture without alpha, over a background of one value.
  package func flattened(over background: UInt8 = 255) -> PixelMap {
    guard components == 2 || components == 4 else { return self }
    let colours = components - 1
    var flat: [UInt8] = []
    flat.reserveCapacity(width * height * colours)
    for start in stride(from: 0, to: samples.count, by: components) {
      let alpha = Int(samples[start + colours])
      for sample in samples[start..<start + colours] {
        flat.append(UInt8((Int(sample) * alpha + Int(background) * (255 - alpha) + 127) / 255))
      }
    }
    return PixelMap(width: width, height: height, components: colours, samples: flat)
  }
}

/// A picture that the other decoder could not read either.
package struct UnreadablePixelMap: Error {
  package let reason: String
}

extension PixelMap {
  /// Binary PGM, PPM (`P5`, `P6`) or PAM (`P7`), at most 8 bits a sample.
  package init(netpbm bytes: [UInt8]) throws {
    var reader = NetpbmReader(bytes)
    let kind = reader.word()
    switch kind {
    case "P5", "P6":
      let header = [reader.number(), reader.number(), reader.number()]
      guard let width = header[0], let height = header[1], header[2] == 255 else {
        throw UnreadablePixelMap(reason: "header of \(kind)")
      }
      self.init(
        width: width, height: height, components: kind == "P5" ? 1 : 3, samples: reader.rest())
    case "P7":
      var fields: [String: Int] = [:]
      while let name = Optional(reader.word()), name != "ENDHDR", !name.isEmpty {
        if name == "TUPLTYPE" { _ = reader.word() } else { fields[name] = reader.number() }
      }
      guard let width = fields["WIDTH"], let height = fields["HEIGHT"],
        let depth = fields["DEPTH"], fields["MAXVAL"] == 255
      else { throw UnreadablePixelMap(reason: "header of P7: \(fields)") }
      self.init(width: width, height: height, components: depth, samples: reader.rest())
    default: throw UnreadablePixelMap(reason: "not a pixel map: \(kind)")
    }
    guard samples.count == width * height * components else {
      throw UnreadablePixelMap(reason: "\(samples.count) samples for \(width)x\(height)")
    }
  }
}

/// Reads the words of a Netpbm header.
private struct NetpbmReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next word; one white-space byte after it is consumed.
  mutating func word() -> String {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    while position < bytes.count, isSpace(bytes[position]) { position += 1 }
    let start = position
    while position < bytes.count, !isSpace(bytes[position]) { position += 1 }
    defer { position = min(bytes.count, position + 1) }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  mutating func number() -> Int? { Int(word()) }

  func rest() -> [UInt8] { Array(bytes[position...]) }
}
