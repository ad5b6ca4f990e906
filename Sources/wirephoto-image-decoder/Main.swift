internal import Imaging
internal import Sandbox

/// Reads one JPEG, PNG, GIF or WebP, and writes bounded renditions of it.
@main struct ImageDecoderProgram {
  static func main() {
    ChildProgram.run(family: .image, warmUp: Thumbnailer.warmUp) { request, input, output in
      Thumbnailer.run(request, input: input, output: output)
    }
  }
}
