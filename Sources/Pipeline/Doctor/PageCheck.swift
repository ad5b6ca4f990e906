internal import Files
internal import Media
internal import Sandbox

/// Whether pages are read, told by having a child read a small one in EUC-KR.
enum PageCheck {
  /// The title is the one syllable 가.
  private static let page =
    Array("<!doctype html><meta charset=euc-kr><title>".utf8) + [0xB0, 0xA1]
    + Array("</title>".utf8)

  static func finding(by children: PictureChildren) async -> DoctorFinding {
    var finding = DoctorFinding(subject: "pages", state: .failed, detail: "")
    guard let file = try? MemoryFile.sealed("sample", holding: page),
      let input = try? LocalInput(adopting: file)
    else {
      finding.detail = "the sample could not be held in memory"
      return finding
    }
    do {
      let start = ContinuousClock.now
      let reply = try await children.readPage(
        PageRequest(), from: input, deadline: .after(.seconds(10)))
      if reply.facts?.title == "\u{AC00}" {
        finding.state = .ok
        finding.detail =
          "are read (\(start.duration(to: .now).wholeMilliseconds) ms with the child)"
      } else {
        finding.detail = reply.problems.first?.message ?? "EUC-KR is not read"
      }
    } catch {
      finding.detail = "\(error)"
    }
    return finding
  }
}
