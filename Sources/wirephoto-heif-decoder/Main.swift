internal import HEIFImaging
internal import Imaging
internal import Sandbox

/// Reads one HEIC or AVIF file, and writes bounded renditions of it.
@main struct HEIFDecoderProgram {
  static func main() {
    ChildProgram.run(family: .heif, warmUp: warmUp) { request, input, output in
      var decoder = HEIFDecoder(input: input)
      return Thumbnailer.run(request, decoder: &decoder, output: output)
    }
  }

  private static func warmUp() {
    HEIFDecoder.warmUp()
    Thumbnailer.warmUp()
  }
}
