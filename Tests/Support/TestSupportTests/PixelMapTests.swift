import TestSupport
import Testing

@Suite struct PixelMapTests {
  @Test func `Grey, colour and alpha are read from Netpbm`() throws {
    let grey = try PixelMap(netpbm: Array("P5\n2 1\n255\n".utf8) + [7, 9])
    #expect(grey == PixelMap(width: 2, height: 1, components: 1, samples: [7, 9]))
    let colour = try PixelMap(netpbm: Array("P6 1 2 255\n".utf8) + [1, 2, 3, 4, 5, 6])
    #expect(colour[0, 1] == [4, 5, 6])
    let header = "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
    #expect(try PixelMap(netpbm: Array(header.utf8) + [1, 2, 3, 4])[0, 0] == [1, 2, 3, 4])
  }

  @Test func `A pixel map that lacks samples is refused`() {
    #expect(throws: UnreadablePixelMap.self) {
      try PixelMap(netpbm: Array("P6 2 2 255\n".utf8) + [1, 2, 3])
    }
  }

  @Test func `The ratio of a uniform difference is known`() throws {
    let one = PixelMap(width: 2, height: 2, components: 1, samples: [10, 10, 10, 10])
    let other = PixelMap(width: 2, height: 2, components: 1, samples: [15, 5, 15, 5])
    // 10 log10(255² ÷ 25)
    #expect(abs(try #require(one.psnr(to: other)) - 34.1514) < 0.0001)
    #expect(one.psnr(to: one) == .infinity)
    #expect(one.psnr(to: PixelMap(width: 4, height: 1, components: 1, samples: one.samples)) == nil)
  }

  @Test func `Alpha is laid over a background`() {
    let picture = PixelMap(width: 2, height: 1, components: 2, samples: [0, 0, 100, 255])
    #expect(picture.flattened().samples == [255, 100])
  }
}
