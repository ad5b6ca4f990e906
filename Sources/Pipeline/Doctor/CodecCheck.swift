internal import Download
internal import Files
internal import Media
internal import Sandbox

/// Whether one format is decoded, told by decoding a small picture of it in a child.
struct CodecCheck: Sendable {
  let format: String
  let base64: String

  private static let request = RenderRequest(
    operation: .render, renditions: [RenderRequest.Rendition(.thumb)])

  func finding(by children: PictureChildren) async -> DoctorFinding {
    var finding = DoctorFinding(subject: "codec \(format)", state: .failed, detail: "")
    guard let input = sample else {
      finding.detail = "the sample could not be held in memory"
      return finding
    }
    do {
      let start = ContinuousClock.now
      let reply = try await children.run(
        Self.request, on: input, deadline: .after(.seconds(10))
      ).reply
      if reply.renditions.count == 1 {
        finding.state = .ok
        finding.detail = "decodes (\(start.duration(to: .now).wholeMilliseconds) ms with its child)"
      } else {
        finding.detail = reply.failure.message
      }
    } catch {
      finding.detail = "\(error)"
    }
    return finding
  }

  private var sample: LocalInput? {
    guard let data = try? DataURL("data:;base64,\(base64)", limit: 4096),
      let file = try? MemoryFile.sealed("sample", holding: data.bytes)
    else { return nil }
    return try? LocalInput(adopting: file)
  }
}
