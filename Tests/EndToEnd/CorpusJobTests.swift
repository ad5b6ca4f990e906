import Media
import TestSupport
import Testing

/// Jobs for real files of each format, as phones and cameras wrote them: complete, upright, within
/// bounds, of the right type; without a byte budget, which would shrink a PNG. Displayed sizes are
/// the reference decoders'.
@Suite(.enabled(if: Corpus.shared != nil, "no corpus beside the project"), .timeLimit(.minutes(15)))
struct CorpusJobTests {
  @Test(arguments: [
    ("exif-orientation/Landscape_6.jpg", "public.jpeg", 1320, 880),
    ("pyheif/tests/images/iPhoneXR.heic", "public.jpeg", 1280, 960),
    ("pillow_heif/tests/images/heif_other/arrow.heic", "public.jpeg", 720, 960),
    ("made/dev/photo_rgba_0.7MP.png", "public.png", 638, 960),
    ("made/dev/photo_12MP_lossy.webp", "public.jpeg", 1280, 960),
    ("made/dev/photo_12MP_s8.avif", "public.jpeg", 1280, 960),
    ("wuffs/test/data/harvesters.gif", "public.jpeg", 1165, 859),
  ])
  func job(file: String, type: String, width: Int, height: Int) async throws {
    let site = try JobSite.make(serving: Project.path("../shared/corpus/files"))
    try await site.submit("job", image: "/\(file)")
    #expect(try await site.drain(["--max-bytes", "0"]).ending == .exited(0))
    let manifest = try site.manifest("job")
    #expect(manifest.content.status == "complete", "\(manifest.codes)")
    let rendition = try manifest.rendition()
    #expect(rendition.typeIdentifier == type)
    #expect(rendition.file.hasSuffix(type == "public.png" ? ".png" : ".jpg"))
    #expect(rendition.width == width && rendition.height == height)
    #expect(rendition.bytes <= 10_000_000)
    let picture = try await PixelMap.decode(manifest.path(rendition))
    #expect(picture.width == width && picture.height == height)
  }
}
