internal import AudioVideo
internal import Sandbox

/// Reads one sound or film file, and writes bounded posters, its cover and a playable form of it.
@main struct AVDecoderProgram {
  static func main() {
    ChildProgram.run(family: .av, warmUp: MediaReader.warmUp) { request, input, output in
      MediaReader.run(request, input: input, output: output)
    }
  }
}
