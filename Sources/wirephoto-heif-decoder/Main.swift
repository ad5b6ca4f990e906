internal import HEIFImaging
internal import Imaging
internal import Sandbox

/// Reads one HEIC or AVIF file, and writes bounded renditions of it.
@main struct HEIFDecoderProgram {
  static func main() {
    ChildProgram.run(family: .heif, warmUp: warmUp) { request, input, output in
      var decoder = HEIFDecoder(input: input)
      var reply = Thumbnailer.run(request, decoder: &decoder, output: output)
      if reply.wantsEmbedded(request) {
        var picture = HEIFDecoder(input: input)
        var thumbnail = HEIFDecoder(input: input, source: .embeddedThumbnail)
        Thumbnailer.showThumbnail(
          request, of: &picture, in: &thumbnail, output: output, reply: &reply)
      }
      if reply.wantsEmbedded(request), let embedded = try? HEIFDecoder.exifThumbnail(input) {
        var picture = HEIFDecoder(input: input)
        Thumbnailer.show(
          embedded, request, of: &picture, input: input, output: output, reply: &reply)
      }
      return reply
    }
  }

  private static func warmUp() {
    HEIFDecoder.warmUp()
    Thumbnailer.warmUp()
  }
}
