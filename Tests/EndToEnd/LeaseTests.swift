import Foundation
import Glibc
import Media
import TestSupport
import Testing

/// What becomes of a job's lease when its worker ends in the middle of something.
@Suite(.timeLimit(.minutes(15))) struct LeaseTests {
  /// A `close_range` that waits for a minute once a file is there: a child that has been started has
  /// inherited every descriptor, and does not come to close them.
  private static let slowStart = """
    #define _GNU_SOURCE
    #include <stdlib.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    int close_range(unsigned first, unsigned last, int flags) {
      if (access(getenv("SLOW_START"), F_OK) == 0) sleep(60);
      return (int)syscall(SYS_close_range, first, last, flags);
    }
    """

  @Test(
    "A child that is stuck between its start and exec keeps no lease of a dead worker",
    arguments: [false, true])
  func stuckChild(isStopped: Bool) async throws {
    let site = try JobSite.make()
    let source = try site.root.write(Self.slowStart, to: "slow.c")
    let library = site.root.path(of: "slow.so")
    guard let compiler = try? requireTool("cc"),
      try await Command(compiler, ["-shared", "-fPIC", "-o", library, source]).run().ending
        == .exited(0)
    else {
      print("skipped: no C compiler here")
      return
    }
    var command = try site.worker([])
    command.environment = ["LD_PRELOAD": library, "SLOW_START": site.root.path(of: "slow")]
    let worker = try command.start()
    try await worker.waitForLog("publishing takes")
    // The picture uses up a child: the next one is started while the job is worked on.
    try site.root.write("", to: "slow")
    try await site.submit("job", image: "/jpeg/baseline.jpg")
    try await eventually("a claimed job") { try !site.names("active").isEmpty }
    let payload = site.root.path(of: "jobs/active/\(try site.names("active")[0])")
    try await eventually("a child that has inherited the lease") {
      try OpenFiles.holders(of: payload).count > 1
    }
    for child in try OpenFiles.holders(of: payload) where child != worker.process && isStopped {
      kill(child, SIGSTOP)
    }
    worker.send(SIGKILL)
    _ = try await worker.finish(by: .after(.seconds(120)))
    try await eventually("the end of the lease") { try OpenFiles.holders(of: payload).isEmpty }
    #expect(try await site.drain().ending == .exited(0))
    #expect(try site.manifest("job").content.status == "complete")
  }
}
