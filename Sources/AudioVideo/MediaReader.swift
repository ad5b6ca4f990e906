internal import Imaging
package import Media

/// Sound and film in, facts, posters, covers and playable files out: the module's entry point.
package enum MediaReader {
  /// Silences the libraries, and makes them and the encoders do once what they do lazily. Afterwards
  /// nothing is opened.
  package static func warmUp() {
    LibraryPolicy.silence()
    Thumbnailer.warmUp()
  }

  /// Runs a request on a file that is read by offset; never throws, failures become problems.
  ///
  /// Posters are written to `output` as `Thumbnailer.run(_:decoder:output:)` says, and behind them the
  /// cover and the playable file. A film without a poster may still have the latter, unless not one of
  /// its frames can be decoded.
  package static func run(_ request: RenderRequest, input: Int32, output: Int32) -> RenderReply {
    do throws(DecodeFailure) {
      let demuxer = try Demuxer.open(input, limits: request.limits)
      let streams = demuxer.streams
      var facts = try MediaFacts(demuxer, streams: streams)
      if try Encryption.covers(demuxer.format, try SourceFile(descriptor: input)) {
        let problem = DecodeFailure.unsupported("the \(facts.format.rawValue) file is encrypted")
        return RenderReply(media: facts, problems: [problem.problem])
      }
      let cover =
        try request.operation == .render ? CoverArt(of: demuxer, streams: streams, input) : nil
      var reply = RenderReply()
      if let film = streams.first(where: { $0.kind == .video }) {
        var decoder = PosterDecoder(demuxer, film: film, facts: facts, time: request.time)
        reply = Thumbnailer.run(request, decoder: &decoder, output: output)
        facts.posterSeconds = decoder.posterSeconds
      }
      reply.media = facts
      finish(
        &reply, request, input: input, cover: cover, facts: facts,
        sounds: streams.filter { $0.kind == .audio }, output: output)
      return reply
    } catch {
      return RenderReply(problems: [error.problem])
    }
  }

  private static func finish(
    _ reply: inout RenderReply, _ request: RenderRequest, input: Int32, cover: CoverArt?,
    facts: MediaFacts, sounds: [StreamDescription], output: Int32
  ) {
    do throws(DecodeFailure) {
      switch request.operation {
      case .probe: break
      case .probeDeep: try DeepProbe(limits: request.limits).run(input)
      case .render:
        reply.cover = try cover?.write(to: output)
        // What cannot be decoded is not sent to be played either.
        let isCorrupt = reply.problems.contains { $0.code == .corrupt && $0.severity == .error }
        if !isCorrupt, sounds.allSatisfy(\.hasSound) {
          try makePlayable(
            facts, sounds: sounds, request, input: input, output: output, in: &reply)
        } else if !reply.problems.contains(where: { $0.severity == .error }) {
          throw .corrupt("the \(facts.format.rawValue) file's sound has no channels")
        }
      }
    } catch {
      reply.problems.append(error.problem)
    }
  }

  /// The file in a container that notifications play, without tags: rewritten, unless it can be taken
  /// as it is. Nothing is made where it is not asked for, or its codecs stand against it.
  private static func makePlayable(
    _ facts: MediaFacts, sounds: [StreamDescription], _ request: RenderRequest, input: Int32,
    output: Int32, in reply: inout RenderReply
  ) throws(DecodeFailure) {
    guard let target = request.attachment?.playable(facts.format, codecs: facts.codecs) else {
      return
    }
    if target == .mp4 || target == .m4a {
      // From the beginning, whatever the search for a poster has read.
      let demuxer = try Demuxer.open(input, limits: request.limits)
      reply.attachment = try Remuxer(target: target).run(demuxer, into: output)
      return
    }
    let file = try SourceFile(descriptor: input)
    if let copy = try CleanCopy.of(target, file, sounds: Set(sounds.map(\.number))),
      !copy.isWhole(file)
    {
      reply.attachment = try copy.write(target, from: file, to: output)
    } else {
      reply.isInputPlayable = true
    }
  }
}
