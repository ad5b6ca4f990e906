import HEIFImaging
import Imaging
import Testing

@Suite("Truncated HEIC and AVIF") struct TruncationTests {
  @Test("Every truncation of a HEIC is told as one")
  func heic() async throws {
    try checkAll(try await TestPicture.waves(width: 64, height: 64).heic())
  }

  @Test("Every truncation of an AVIF with alpha is told as one")
  func avif() async throws {
    try checkAll(try await TestPicture.waves(width: 64, height: 64, hasAlpha: true).avif())
  }

  private func checkAll(_ file: [UInt8]) throws {
    _ = try decode(file)
    for length in 0..<file.count {
      do {
        _ = try decode(Array(file[..<length]))
        Issue.record("\(length) of \(file.count) bytes were enough")
      } catch DecodeFailure.truncated {
        continue
      } catch {
        Issue.record("\(length) of \(file.count) bytes: \(error)")
      }
    }
  }
}
