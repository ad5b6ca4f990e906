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
      if format == .jpeg, let reply = standIn(request, input: input, output: output) {
        return reply
      }
      var reply = try withPictureDecoder(for: format, input: input, use: use(by: request)) {
        run(request, decoder: &$0, output: output, animation: input)
      }
      if reply.wantsEmbedded(request) {
        showExifThumbnail(request, format, input: input, output: output, reply: &reply)
      }
      return reply
    } catch {
      return RenderReply(problems: [error.problem])
    }
  }

  /// Who looks for truncation reads everything.
  private static func use(by request: RenderRequest) -> ScanUse {
    switch request.reading {
    case .everything: .all
    case _ where request.operation != .render: .all
    case .enough: .enough(time: request.time)
    case .leastEnough: .enough(time: .zero)
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
  /// to `output` one after the other, from its current offset on, which counts as byte 0. An animation
  /// is played from `animation`, the decoder's input, where that is given.
  package static func run<Decoder: PictureDecoder & ~Copyable>(
    _ request: RenderRequest, decoder: inout Decoder, output: Int32, animation: Int32? = nil
  ) -> RenderReply {
    var reply = RenderReply()
    do throws(DecodeFailure) {
      let header = try decoder.readHeader(request.limits)
      reply.facts = header.facts
      switch request.operation {
      case .probe: break
      case .probeDeep: try decodeToNowhere(header, &decoder, reply: &reply)
      case .render where request.embedded == .always: break
      case .render:
        var file = OutputFile(descriptor: output)
        if let animation, header.facts.frames > 1 {
          try animate(request, header: header, &decoder, animation, &file, reply: &reply)
        } else {
          try render(request, header: header, &decoder, &file, reply: &reply)
        }
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

  /// Makes GIFs where they are wanted, then the stills.
  private static func animate<Decoder: PictureDecoder & ~Copyable>(
    _ request: RenderRequest, header: PictureHeader, _ decoder: inout Decoder, _ input: Int32,
    _ file: inout OutputFile, reply: inout RenderReply
  ) throws(DecodeFailure) {
    do {
      try decoder.checkLaterFrames(isThorough: false)
    } catch {
      guard request.acceptsPartial, case .truncated = error else { throw error }
      reply.extent = .partial
      reply.problems.append(error.problem.asWarning)
    }
    var rendering = AnimationRendering(
      request, header: header, input: input, warnings: &reply.problems)
    rendering.writeAnimations(into: &file, reply: &reply)
    let frame = rendering.choosePosterFrame()
    if rendering.wasHurried { reply.extent = max(.hurried, reply.extent) }
    guard !rendering.stills.isEmpty else {
      reply.hints = hints(header, &decoder, frame: frame, input: input)
      return
    }
    var pass = RenditionPass(request, header: header, only: rendering.stills)
    guard let frame else {
      return try render(request, &pass, &decoder, &file, checksRest: false, reply: &reply)
    }
    try PosterFrame.deliver(
      frame, header.facts.format, input: input, limits: request.limits, into: &pass)
    reply.add(pass.warnings)
    finish(&pass, &file, reply: &reply)
  }

  /// What an animation's most telling frame tells; nil where it cannot be had.
  private static func hints<Decoder: PictureDecoder & ~Copyable>(
    _ header: PictureHeader, _ decoder: inout Decoder, frame: Int?, input: Int32
  ) -> PictureHints? {
    let side = PreviewRaster.longestSide
    let preview = RenderRequest.Rendition(
      box: PixelSize(width: side, height: side), fit: .contain, stillBudget: nil,
      animatedBudget: nil)
    let request = RenderRequest(operation: .render, renditions: [preview])
    var pass = RenditionPass(request, header: header)
    do throws(DecodeFailure) {
      if let frame {
        try PosterFrame.deliver(
          frame, header.facts.format, input: input, limits: request.limits, into: &pass)
      } else {
        try decoder.decode(needed: pass.needed, into: &pass)
      }
      return try pass.takeHints()
    } catch {
      return nil
    }
  }

  private static func render<Decoder: PictureDecoder & ~Copyable>(
    _ request: RenderRequest, header: PictureHeader, _ decoder: inout Decoder,
    _ file: inout OutputFile, reply: inout RenderReply
  ) throws(DecodeFailure) {
    var pass = RenditionPass(request, header: header)
    try render(request, &pass, &decoder, &file, checksRest: true, reply: &reply)
  }

  private static func render<Decoder: PictureDecoder & ~Copyable>(
    _ request: RenderRequest, _ pass: inout RenditionPass, _ decoder: inout Decoder,
    _ file: inout OutputFile, checksRest: Bool, reply: inout RenderReply
  ) throws(DecodeFailure) {
    do {
      try decoder.decode(needed: pass.needed, into: &pass)
      if checksRest { try decoder.checkLaterFrames(isThorough: false) }
    } catch {
      reply.visibleFraction = pass.visibleFraction
      guard case .truncated = error, request.acceptsPartial, pass.visibleFraction > 0,
        pass.visibleFraction >= request.leastVisible
      else { throw error }
      reply.extent = .partial
      reply.problems.append(error.problem.asWarning)
    }
    if decoder.wasHurried { reply.extent = max(.hurried, reply.extent) }
    reply.add(pass.warnings)
    finish(&pass, &file, reply: &reply)
  }

  /// Encodes and writes the renditions of a pass whose rows have all come.
  package static func finish(
    _ pass: inout RenditionPass, _ output: Int32, reply: inout RenderReply
  ) {
    var file = OutputFile(descriptor: output)
    finish(&pass, &file, reply: &reply)
  }

  private static func finish(
    _ pass: inout RenditionPass, _ file: inout OutputFile, reply: inout RenderReply
  ) {
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
    reply.hints = pass.hints
    reply.renditions.sort { $0.requestIndex < $1.requestIndex }
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

extension RenderReply {
  /// Adds what is not yet said: an animation's GIF and its still meet the same profile.
  fileprivate mutating func add(_ warnings: [Problem]) {
    problems += warnings.filter { !problems.contains($0) }
  }
}

extension Problem {
  /// The same where it does not keep pictures from being made.
  var asWarning: Problem {
    var warning = self
    warning.severity = .warning
    return warning
  }
}
