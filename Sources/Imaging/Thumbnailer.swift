internal import Glibc
package import Media

/// Bytes in, bounded pictures out: the module's entry point.
package enum Thumbnailer {
  /// Bytes that tell a format.
  private static let sniffedBytes = 4096

  /// Runs a request on a file that is read by offset; never throws, failures become problems.
  ///
  /// Renditions are written to `output` as `run(_:decoder:output:)` says.
  package static func run(_ request: RenderRequest, input: Int32, output: Int32) -> RenderReply {
    do throws(DecodeFailure) {
      let reader = try InputReader(input)
      let start = try reader.bytes(at: 0, count: min(sniffedBytes, reader.size)) ?? []
      let format = MediaFormat.sniff(start)
      guard format.kind == .image else { return RenderReply(problems: [refusal(format)]) }
      return try withPictureDecoder(for: format, input: input) { decoder in
        run(request, decoder: &decoder, output: output)
      }
    } catch {
      return RenderReply(problems: [error.problem])
    }
  }

  private static func refusal(_ format: MediaFormat) -> Problem {
    format.kind == nil
      ? Problem(.decode, .notMedia, "the bytes are \(format.rawValue), not a picture")
      : Problem(.decode, .unsupportedFormat, "the bytes are \(format.rawValue), not a picture")
  }

  /// Runs a request on a decoder that has its input; never throws, failures become problems.
  ///
  /// The header's facts are in the reply as soon as it could be read. Encoded renditions are written
  /// to `output` one after the other, from its current offset on, which counts as byte 0.
  package static func run<Decoder: PictureDecoder & ~Copyable>(
    _ request: RenderRequest, decoder: inout Decoder, output: Int32
  ) -> RenderReply {
    var reply = RenderReply()
    do throws(DecodeFailure) {
      let header = try decoder.readHeader(request.limits)
      reply.facts = header.facts
      switch request.operation {
      case .probe: break
      case .probeDeep: try decodeToNowhere(header, &decoder, reply: &reply)
      case .render: try render(request, header: header, &decoder, output, reply: &reply)
      }
    } catch {
      reply.problems.append(error.problem)
    }
    return reply
  }

  private static func decodeToNowhere<Decoder: PictureDecoder & ~Copyable>(
    _ header: PictureHeader, _ decoder: inout Decoder, reply: inout RenderReply
  ) throws(DecodeFailure) {
    var counter = RowCounter(header)
    defer { reply.problems = counter.warnings + reply.problems }
    do {
      try decoder.decode(needed: nil, into: &counter)
      try decoder.checkLaterFrames(isThorough: true)
    } catch {
      reply.visibleFraction = counter.visibleFraction
      throw error
    }
  }

  private static func render<Decoder: PictureDecoder & ~Copyable>(
    _ request: RenderRequest, header: PictureHeader, _ decoder: inout Decoder, _ output: Int32,
    reply: inout RenderReply
  ) throws(DecodeFailure) {
    var pass = RenditionPass(request, header: header)
    do {
      try decoder.decode(needed: pass.needed, into: &pass)
      try decoder.checkLaterFrames(isThorough: false)
    } catch {
      reply.visibleFraction = pass.visibleFraction
      guard case .truncated = error, request.acceptsPartial, pass.visibleFraction > 0 else {
        throw error
      }
      var problem = error.problem
      problem.severity = .warning
      reply.problems.append(problem)
    }
    reply.problems += pass.warnings
    finish(&pass, output, reply: &reply)
  }

  /// Encodes and writes the renditions of a pass whose rows have all come.
  package static func finish(
    _ pass: inout RenditionPass, _ output: Int32, reply: inout RenderReply
  ) {
    var file = OutputFile(descriptor: output)
    pass.finish { index, result in
      do throws(DecodeFailure) {
        let picture = try result.get()
        reply.renditions.append(
          RenderReply.Rendition(
            requestIndex: index, format: picture.format, size: picture.size,
            frames: picture.frames, bytes: try file.append(picture.bytes)))
      } catch {
        reply.problems.append(error.problem)
      }
    }
    reply.renditions.sort { $0.requestIndex < $1.requestIndex }
  }
}

/// The descriptor that renditions are written to, one after the other.
private struct OutputFile {
  let descriptor: Int32
  private var offset = 0

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Writes `bytes` and tells where they lie. The corresponding C function is `write`.
  mutating func append(_ bytes: [UInt8]) throws(DecodeFailure) -> Range<Int> {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(descriptor, buffer.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw .inputOutput("write: \(unsafe String(cString: strerror(errno)))")
      }
      written += count
    }
    defer { offset += bytes.count }
    return offset..<offset + bytes.count
  }
}

/// Takes rows and keeps nothing but their number, and what is wrong with the picture's colours.
private struct RowCounter: RowSink {
  private let header: PictureHeader
  private(set) var warnings: [Problem] = []
  private var height = 0
  private var rows = 0

  init(_ header: PictureHeader) {
    self.header = header
  }

  var visibleFraction: Double { height > 0 ? min(1, Double(rows) / Double(height)) : 0 }

  mutating func begin(_ raster: RasterDescription) {
    height = raster.size.height
    _ = ColourTreatment.choose(header, model: raster.model, warnings: &warnings)
  }

  mutating func consume(_ row: Span<UInt8>, plane: Int) {
    if plane == 0 { rows += 1 }
  }

  mutating func consume(_ row: Span<UInt16>, plane: Int) {
    if plane == 0 { rows += 1 }
  }
}
