import Foundation
import Media
import TestSupport
import Testing

/// Contract §1: options, variables, exit codes.
@Suite(.timeLimit(.minutes(15))) struct CommandLineTests {
  private func run(
    _ arguments: [String], environment: [String: String?] = [:]
  ) async throws -> CommandOutcome {
    var command = try Command.built("wirephoto", arguments)
    command.environment = environment
    return try await command.run()
  }

  @Test(
    "Wrong usage is told in one line that names the culprit, with exit code 2",
    arguments: [
      (["probe", "--colour", "x.png"], "--colour"),
      (["probe"], "probe"),
      (["render", "x.png"], "--output"),
      (["render", "x.png", "-o"], "--output"),
      (["render", "x.png", "-o", "y", "--quality", "0"], "--quality"),
      (["render", "x.png", "-o", "y", "--quality=101"], "--quality"),
      (["render", "x.png", "-o", "y", "--profile", "tv"], "--profile"),
      (["render", "x.png", "-o", "y", "--size", "10x"], "--size"),
      (["render", "x.png", "-o", "y", "--max-bytes", "many"], "--max-bytes"),
      (["render", "x.png", "-o", "y", "--flatten", "reddish"], "--flatten"),
      (["render", "x.png", "-o", "y", "--unknown=1"], "--unknown"),
      (["render", "x.png", "-o", "y", "--size", "10x10", "--profile", "thumb"], "--size"),
      (["render", "x.png", "-o", "y", "--format", "webp"], "--format"),
      (["render", "x.png", "y.png", "-o", "one.png"], "--output"),
      (["render", "a/x.png", "b/x.jpg", "-o", "{name}.jpg"], "--output"),
      (["render", "x.png", "-o", "y.webp"], "--output"),
      (["render", "x.png", "-o", "y.png", "--format", "jpeg"], "--output"),
      (["render", "x.png", "-o", "{nam}.png"], "--output"),
      (["render", "x.png", "y.png", "-o", "-"], "--output"),
      (["worker", "/tmp", "--cache", "c", "--deadline", "0s"], "--deadline"),
      (["worker", "/tmp"], "--cache"),
      (["worker", "/tmp", "--cache", "c", "--deadline", "soon"], "--deadline"),
      (["worker", "/tmp", "--cache", "c", "--once", "--drain"], "--once"),
      (["worker", "/tmp", "--cache", "c", "--allow-address", "10.0.0.0/33"], "--allow-address"),
      (["submit", "/tmp"], "submit"),
      (["worker", "/tmp", "--cache", "c", "--placeholder", "/nonexistent/p"], "--placeholder"),
      (["worker", "/tmp", "--cache", "c", "--settings", "/nonexistent/s"], "--settings"),
      (["worker", "/tmp", "--cache", "c", "--ca-file", "/nonexistent/c"], "--ca-file"),
      (["worker", "/tmp", "--cache", "c", "--proxy", "nix"], "--proxy"),
      (["worker", "/tmp", "--cache", "c", "--proxy", "ftp://h:21"], "--proxy"),
      (["worker", "/tmp", "--cache", "c", "--proxy", "http://"], "--proxy"),
      (["warm", "--cache", "c", "--proxy", "http://h:0/"], "--proxy"),
      (["worker", "/tmp", "--cache", "c", "--ca-file", "/etc/passwd"], "--ca-file"),
      (["warm", "--cache", "c", "--netrc-file", "/nonexistent/n"], "--netrc-file"),
      (["render", "x.png", "-o", "y", "--settings", "/nonexistent/s"], "--settings"),
      (["conjure"], "conjure"),
    ])
  func wrongUsage(arguments: [String], culprit: String) async throws {
    let outcome = try await run(arguments)
    #expect(outcome.ending == .exited(2))
    #expect(outcome.errorText.contains(culprit))
    #expect(outcome.errorText.split(separator: "\n").count == 1)
    #expect(outcome.output.isEmpty)
  }

  @Test(
    "A public address that no phone could use is refused, and no secret in it told",
    arguments: [
      ("https://", "host"), ("https:///objects/", "host"), ("https://p.example:22/", "port"),
      ("https://p.example/?token=secret", "'?'"), ("https://p.example/#secret", "'#'"),
      ("https://me:secret@p.example/", "password"), ("http://me:secret@p.example/", "password"),
      ("http:///objects/", "host"), ("ftp://p.example/objects/", "https"),
      ("p.example/objects/", "https"),
    ])
  func unusablePublicAddress(base: String, culprit: String) async throws {
    let outcome = try await run(["worker", "/tmp", "--cache", "c", "--public-base-url", base])
    #expect(outcome.ending == .exited(2))
    #expect(outcome.errorText.contains("--public-base-url"))
    #expect(outcome.errorText.contains(culprit), "\(outcome.errorText)")
    #expect(!outcome.errorText.contains("secret"))
    #expect(outcome.errorText.split(separator: "\n").count == 1)
  }

  @Test("A bad value in the environment is told by the variable's name")
  func badVariable() async throws {
    let outcome = try await run(
      ["render", "x.png", "-o", "y"], environment: ["WIREPHOTO_QUALITY": "best"])
    #expect(outcome.ending == .exited(2))
    #expect(outcome.errorText.contains("WIREPHOTO_QUALITY"))
  }

  @Test("The command line wins over the environment, and options may follow operands")
  func precedence() async throws {
    let sample = Project.path("media-samples/jpeg/baseline.jpg")
    let outcome = try await run(
      [sample, "--json=0"].inserting("probe"), environment: ["WIREPHOTO_JSON": "1"])
    #expect(outcome.ending == .exited(0))
    #expect(!outcome.text.hasPrefix("{"))
    let json = try await run(["probe", sample], environment: ["WIREPHOTO_JSON": "1"])
    #expect(json.text.hasPrefix("{"))
  }

  @Test(
    "An option of the environment gives way to one of the command line that excludes it",
    arguments: [
      (["render", "--size", "10x10"], ["WIREPHOTO_PROFILE": "ipad"], "10x"),
      (["render", "--profile", "thumb"], ["WIREPHOTO_SIZE": "10x10"], "300x300"),
      (["worker", "--drain"], ["WIREPHOTO_ONCE": "1"], nil),
      (["worker", "--once"], ["WIREPHOTO_DRAIN": "1"], nil),
    ] as [([String], [String: String?], String?)])
  func exclusion(words: [String], environment: [String: String?], size: String?) async throws {
    let folder = try TemporaryDirectory()
    let jobs = try folder.makeFolder("jobs")
    let output = folder.path(of: "x.jpg")
    let sample = Project.path("media-samples/jpeg/baseline.jpg")
    let rest =
      words[0] == "render" ? [sample, "-o", output] : [jobs, "--cache", folder.path(of: "cache")]
    let outcome = try await run(words + rest, environment: environment)
    #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
    guard let size else { return }
    #expect(try await run(["probe", output]).text.contains(" \(size)"))
  }

  @Test("Two variables that exclude each other are told by their names")
  func exclusionInEnvironment() async throws {
    let variables: [String: String?] = ["WIREPHOTO_ONCE": "1", "WIREPHOTO_DRAIN": "1"]
    let outcome = try await run(["worker", "/tmp", "--cache", "c"], environment: variables)
    #expect(outcome.ending == .exited(2))
    #expect(outcome.errorText.contains("WIREPHOTO_ONCE: cannot stand beside WIREPHOTO_DRAIN"))
  }

  @Test("Two dashes end the options") func endOfOptions() async throws {
    let outcome = try await run(["probe", "--", "--json"])
    #expect(outcome.ending == .exited(1))
    #expect(outcome.errorText.contains("--json"))
  }

  @Test("A directory that is missing is the environment's fault, with exit code 3")
  func missingDirectory() async throws {
    let outcome = try await run(["worker", "/nonexistent/jobs", "--cache", "/nonexistent/cache"])
    #expect(outcome.ending == .exited(3))
    #expect(outcome.errorText.contains("/nonexistent/jobs"))
  }

  @Test("A path is named once in what is told of it", arguments: ["", "/nowhere.png"])
  func namedOnce(name: String) async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + name
    for words in [["probe", path], ["render", path, "-o", folder.path(of: "out.jpg")]] {
      let outcome = try await run(words)
      #expect(outcome.ending == .exited(1))
      let text = outcome.errorText
      #expect(text.components(separatedBy: path).count == 2, "\(text)")
      #expect(text.split(separator: "\n").count == 1)
      let report = try await run(words + ["--json"]).text
      #expect(report.contains(#""severity":"error","stage":"intake","code":null,"#), "\(report)")
    }
  }

  @Test("A cache and a job directory keep out of each other's folders")
  func separateDirectories() async throws {
    let folder = try TemporaryDirectory()
    let (jobs, other) = (try folder.makeFolder("jobs"), try folder.makeFolder("other"))
    let link = folder.path(of: "link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: jobs)
    let pairs = [
      (jobs, jobs), (jobs, "\(link)/."), (jobs, "\(jobs)/tmp"), (jobs, "\(link)/outbox/deep/cache"),
      (other, "\(other)/../other"),
    ]
    for (place, cache) in pairs {
      let outcome = try await run(["worker", place, "--cache", cache, "--drain"])
      #expect(outcome.ending == .exited(2), "\(cache)")
      #expect(outcome.errorText.contains("--cache"), "\(outcome.errorText)")
    }
    #expect(try folder.names(in: "jobs").isEmpty)
    let beside = try await run(["worker", jobs, "--cache", "\(jobs)/cache", "--drain"])
    #expect(beside.ending == .exited(0), "\(beside.errorText)")
    let inside = try folder.makeFolder("jobs/cache/objects/jobs")
    let outcome = try await run(["worker", inside, "--cache", "\(jobs)/cache", "--drain"])
    #expect(outcome.ending == .exited(2))
  }

  @Test("An output that exists is left alone, and no fault of the picture")
  func existingOutput() async throws {
    let folder = try TemporaryDirectory()
    let output = try folder.write("mine", to: "out.jpg")
    let sample = Project.path("media-samples/jpeg/baseline.jpg")
    let outcome = try await run(["render", sample, "-o", output])
    #expect(outcome.ending == .exited(1))
    #expect(outcome.errorText.contains("out.jpg exists; --force overwrites"))
    #expect(!outcome.errorText.contains("noPicture"))
    let told = try await run(["render", sample, "-o", output, "--json"])
    let report = try #require(
      JSONSerialization.jsonObject(with: Data(told.output)) as? [String: Any])
    #expect((report["problems"] as? [Any])?.isEmpty == true)
    #expect(report["existing"] as? [String] == [output])
    #expect(try folder.read("out.jpg") == Array("mine".utf8))
    #expect(try await run(["render", sample, "-o", output, "--force"]).ending == .exited(0))
  }

  @Test(
    "Each verb has a help of its own, with its options and exit codes",
    arguments: [
      (["jobs", "list"], ["usage: wirephoto jobs list JOBS", "--json"], ["--cache", "retry"]),
      (
        ["jobs", "erase"], ["usage: wirephoto jobs erase JOBS ID…", "--cache"], ["--json", "retry"]
      ),
      (["cache", "verify"], ["usage: wirephoto cache verify", "  1  "], ["--host", "purge"]),
      (["cache", "list"], ["--host", "hour"], ["--all"]),
      (["outbox", "ack"], ["usage: wirephoto outbox ack JOBS ID…", "  1  "], ["follow"]),
    ] as [([String], [String], [String])])
  func verbHelp(verb: [String], wanted: [String], unwanted: [String]) async throws {
    let outcome = try await run(verb + ["--help"])
    #expect(outcome.ending == .exited(0))
    for text in wanted + ["Exit codes:", "  0  ", "  2  ", "  3  ", "--help"] {
      #expect(outcome.text.contains(text), "\(text) in \(outcome.text)")
    }
    for text in unwanted { #expect(!outcome.text.contains(text), "\(text) in \(outcome.text)") }
    let parent = try await run([verb[0], "--help"])
    #expect(parent.text.contains("\(verb[0]) "))
    #expect(parent.text != outcome.text)
  }

  @Test("Help is a command, too") func helpCommand() async throws {
    let outcome = try await run(["help", "worker"])
    #expect(outcome.ending == .exited(0))
    #expect(outcome.text == (try await run(["worker", "--help"]).text))
    #expect(try await run(["help", "jobs", "erase"]).text.contains("usage: wirephoto jobs erase"))
    #expect(try await run(["help", "conjure"]).ending == .exited(2))
  }

  @Test("What a number may be is told") func numberRange() async throws {
    let outcome = try await run(["worker", "/tmp", "--cache", "c", "--parallel", "0"])
    #expect(outcome.errorText.contains("a number from 1 to 1024"), "\(outcome.errorText)")
  }

  @Test("Every command has a line of its own in the overview, and its exit codes in its help")
  func overview() async throws {
    let lines = try await run(["--help"]).lines
    let commands = [
      "worker", "submit", "jobs", "outbox", "probe", "render", "warm", "cache", "doctor",
    ]
    let rows = lines.filter { $0.hasPrefix("  ") }
    #expect(rows.map { String($0.split(separator: " ")[0]) } == commands)
    for command in commands {
      #expect(try await run([command, "--help"]).text.contains("Exit codes:"), "\(command)")
    }
  }

  @Test("An empty directory is one of jobs, without any; another directory is none")
  func emptyJobDirectory() async throws {
    let folder = try TemporaryDirectory()
    let jobs = try folder.makeFolder("jobs")
    for words in [["list", jobs], ["stats", jobs]] {
      let empty = try folder.makeFolder("empty-\(words[0])")
      let outcome = try await run(["jobs", words[0], empty])
      #expect(outcome.ending == .exited(0), "\(outcome.errorText)")
    }
    for verb in ["show", "retry", "cancel", "erase"] {
      let outcome = try await run(["jobs", verb, jobs, "nobody"])
      #expect(outcome.ending == .exited(1), "\(outcome.errorText)")
    }
    #expect(try await run(["outbox", "ack", jobs, "nobody"]).ending == .exited(1))
    let other = try folder.makeFolder("other")
    try folder.write("x", to: "other/letter.txt")
    for path in [other, folder.path(of: "missing")] {
      let outcome = try await run(["jobs", "list", path])
      #expect(outcome.ending == .exited(3))
      #expect(outcome.errorText.contains(path))
    }
    #expect(try folder.names(in: "other") == ["letter.txt"])
  }

  @Test("Who follows an empty directory waits for the first result")
  func followEmpty() async throws {
    let folder = try TemporaryDirectory()
    let jobs = try folder.makeFolder("jobs")
    let follower = try Command.built("wirephoto", ["outbox", "follow", jobs, "first"]).start()
    try await eventually("an outbox") { try folder.names(in: "jobs").contains("outbox") }
    let payload = Array(#"{"id": "first", "title": "T"}"#.utf8)
    _ = try await Command.built("wirephoto", ["submit", jobs, "-"], input: payload).run()
    let cache = folder.path(of: "cache")
    _ = try await run(["worker", jobs, "--cache", cache, "--drain"])
    let outcome = try await follower.finish(by: .after(.seconds(60)))
    #expect(outcome.ending == .exited(0))
    #expect(outcome.lines.count == 1)
  }

  @Test("The origin of the tests tells how it is used")
  func originHelp() async throws {
    for word in ["--help", "-h"] {
      let outcome = try await Command.built("wirephoto-origin", [word]).run()
      #expect(outcome.ending == .exited(0))
      #expect(outcome.text.contains("usage: wirephoto-origin"))
    }
  }

  @Test(
    "Results that cannot be written are the environment's fault",
    arguments: [
      ">/dev/full", ">&-",
    ])
  func lostResults(redirection: String) async throws {
    let program = try Project.program("wirephoto")
    let sample = Project.path("media-samples/jpeg/baseline.jpg")
    let outcome = try await Command.tool(
      "sh", ["-c", "'\(program)' probe --json '\(sample)' \(redirection)"]
    ).run()
    #expect(outcome.ending == .exited(3), "\(outcome.errorText)")
  }

  @Test(
    "Help and version go to standard output",
    arguments: [
      ["--help"], ["--version"], ["worker", "--help"], ["probe", "--version"],
      ["render", "--help"],
      ["submit", "--help"], ["doctor", "--help"],
    ])
  func help(arguments: [String]) async throws {
    let outcome = try await run(arguments)
    #expect(outcome.ending == .exited(0))
    #expect(outcome.text.contains("wirephoto"))
    #expect(outcome.errors.isEmpty)
  }
}

extension [String] {
  fileprivate func inserting(_ command: String) -> [String] { [command] + self }
}
