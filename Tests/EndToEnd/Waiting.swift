import Files
import Foundation
import Glibc
import Origin
import TestSupport

/// Something that did not happen in time.
struct NotSeen: Error {
  let what: String
}

/// Looks again and again for what another process does, for at most two minutes.
func eventually(_ what: String, _ isSeen: () throws -> Bool) async throws {
  let limit = ContinuousClock.now.advanced(by: .seconds(120))
  while try !isSeen() {
    guard .now < limit else { throw NotSeen(what: what) }
    try await Task.sleep(for: .milliseconds(10))
  }
}

extension OriginServer {
  func waitForRequests(_ count: Int) async throws {
    try await eventually("\(count) requests") { requests.count >= count }
  }
}

extension JobSite {
  /// Waits until a download is in the cache.
  func waitForOriginal() async throws {
    try await eventually("an original") { try !root.names(in: "cache/originals").isEmpty }
  }

  func waitForOutbox(_ id: String) async throws {
    try await eventually("outbox/\(id)") { try names("outbox").contains(id) }
  }
}

extension RunningCommand {
  /// Waits until the program's standard error holds a text.
  borrowing func waitForLog(_ text: String) async throws {
    let limit = ContinuousClock.now.advanced(by: .seconds(120))
    while try !String(decoding: errorsSoFar(), as: UTF8.self).contains(text) {
      guard .now < limit else { throw NotSeen(what: text) }
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

/// The children of one process that this test started.
struct ChildSignals {
  let parent: pid_t

  init(of parent: pid_t) {
    self.parent = parent
  }

  /// Sends a signal to each child, once there is one, and answers who they were.
  @discardableResult
  func sendToAll(_ signal: Int32) async throws -> [pid_t] {
    try await eventually("a child") { try !all().isEmpty }
    let children = try all()
    for child in children { kill(child, signal) }
    return children
  }

  /// Linux lists a thread's children in /proc.
  func all() throws -> [pid_t] {
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(parent)/task")
    return try threads.flatMap { thread in
      try String(contentsOfFile: "/proc/\(parent)/task/\(thread)/children", encoding: .utf8)
        .split(separator: " ").compactMap { pid_t($0) }
    }
  }
}
