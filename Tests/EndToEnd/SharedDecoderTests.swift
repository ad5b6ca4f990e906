import Foundation
import Glibc
import Media
import TestSupport
import Testing

/// Jobs that wait for a decoder which another process has at work on the same bytes.
@Suite(.timeLimit(.minutes(15))) struct SharedDecoderTests {
  @Test(
    "Who waits in vain for another's hanging decoder is told of a decoder's time",
    arguments: [true, false])
  func hangingDecoder(isOfAnotherProcess: Bool) async throws {
    let site = try JobSite.make()
    let other = try site.worker([]).start()
    try await other.waitForLog("sandbox")
    let children = ChildSignals(of: other.process)
    try await children.sendToAll(SIGSTOP)
    let image = "/jpeg/large.jpg?cache=max-age%3D3600"
    try await site.submit("first", image: image, more: ["ttlSeconds": 55])
    try await site.waitForOriginal()
    // The child that was fed does not answer; those kept ready do not either.
    try await eventually("a decode that has begun") {
      try site.root.names(in: "cache/locks").contains { name in
        guard name.hasPrefix("flight-") else { return false }
        let path = site.root.path(of: "cache/locks/\(name)")
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size]
        return size as? Int == 1
      }
    }
    if isOfAnotherProcess { other.send(SIGSTOP) }
    try await site.submit("second", image: image, more: ["ttlSeconds": 3])
    if isOfAnotherProcess {
      try await site.drain(["--parallel", "1"], until: "second")
    } else {
      try await site.waitForOutbox("second")
    }
    let manifest = try site.manifest("second")
    #expect(manifest.content.status == "textOnly")
    #expect(manifest.codes.contains("decoderTimeout"))
    #expect(!manifest.codes.contains("deadlineExceeded"))
    other.send(SIGCONT)
    other.send(SIGKILL)
    _ = try await other.finish(by: .after(.seconds(120)))
  }
}

extension JobSite {
  /// Works until a manifest is there: another process may have jobs that it does not end.
  fileprivate func drain(_ more: [String], until id: String) async throws {
    let worker = try worker(more).start()
    try await waitForOutbox(id)
    worker.send(SIGTERM)
    _ = try await worker.finish(by: .after(.seconds(30)))
  }
}
