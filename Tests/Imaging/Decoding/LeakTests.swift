import CCodecShims
import Imaging
import Media
import Testing

@Suite("Codec sessions", .timeLimit(.minutes(10)))
struct LeakTests {
  @Test("no session outlives its decoder, whatever became of the picture")
  func sessionsEnd() async {
    // In a process of its own: other tests have sessions, too.
    await #expect(processExitsWith: .success) {
      let kind = PNGDecoderTests.kinds[7]
      for interlaced in [false, true] {
        let png = PNGDecoderTests.file(kind, interlaced: interlaced)
        for length in 0...png.count { _ = try? decodePicture(Array(png.prefix(length)), as: .png) }
      }
      let jpeg = try await JPEGDecoderTests.encode(["-progressive"])
      for length in stride(from: 0, through: jpeg.count, by: 7) {
        _ = try? decodePicture(Array(jpeg.prefix(length)), as: .jpeg)
      }
      precondition(ccodecs_live_sessions() == 0)
    }
  }
}
