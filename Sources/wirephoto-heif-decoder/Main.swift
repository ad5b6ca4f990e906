import Glibc
import HEIFImaging
import Imaging
import Sandbox

/// Decodes one HEIC or AVIF file into bounded pictures, confined.
@main
struct Program {
  static func main() {
    ChildProgram.run(family: .heif, warmUp: warmUp) { request, input, output in
      var decoder = HEIFDecoder(input: input)
      return Thumbnailer.run(request, decoder: &decoder, output: output)
    }
  }

  private static func warmUp() {
    HEIFDecoder.warmUp()
    // lcms2 dates the profiles it makes, for which glibc reads the time zone's file.
    tzset()
  }
}
