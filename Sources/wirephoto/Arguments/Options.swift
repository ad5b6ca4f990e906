import Media
import Pipeline

/// The one table of options: parsing, help and completions are fed from it.
enum Options {
  static let help = Option.flag("--help", "show this help")
  static let version = Option.flag("--version", "show the version")
  static let json = Option.flag("--json", "one JSON object a line")

  // Directories and files.
  static let cache = Option.text("--cache", "DIR", "cache directory, shared by processes")
  static let eraseCache = Option.text(
    "--cache", "DIR", "erase: also what the cache holds of the job alone")
  static let output = Option.text(
    "--output", "PATH", "file, folder, or template with {name} and {profile} (short: -o)")
  static let force = Option.flag("--force", "overwrite existing files")

  static let settings = Option.text(
    "--settings", "FILE", "profiles and categories; else the cache's, /etc/wirephoto's")

  // Pictures.
  static let profile = Option.list(
    "--profile", "P[,P…]", "iphone, ipad, thumb, android, WxH or WxH@S; default iphone")
  static let size = Option<PixelSize?>.value(
    "--size", "WxH[@S]", "a box of your own, in pixels, or points times a scale", default: nil
  ) { PixelSize(contractText: $0).map(Optional.some) }
  static let format = Option<OutputFormatName>.choice(
    "--format", "written format; auto is JPEG when opaque, else PNG", default: .auto)
  static let quality = Option.number(
    "--quality", "1…100", "JPEG quality, default 82; the budget may ask for less", default: 82,
    in: 1...100)
  static let maxBytes = Option<Int?>.value(
    "--max-bytes", "SIZE", "byte budget of each picture; 0 lifts it; default from the profile",
    default: nil
  ) { ByteCount.parse($0).map(Optional.some) }
  static let flatten = Option<RGBColour?>.value(
    "--flatten", "#rrggbb|white|black", "a colour behind alpha, which makes such pictures JPEG",
    default: nil
  ) { RGBColour(contractText: $0).map(Optional.some) }
  static let partial = Option.flag("--partial", "render what a truncated file holds")
  static let noEarlyStop = Option.flag(
    "--no-early-stop", "read progressive JPEGs to their end, seen or not")
  static let deep = Option.flag("--deep", "decode everything, not only the header")
  static let check = Option.flag("--check", "exit 1 when an input is not attachable")
  static let rules = Option<AttachmentRules>.choice(
    "--rules", "whose attachment rules to apply", default: .apple)

  // Limits.
  static let maxDownload = size("--max-download", "bytes of one download", default: 50_000_000)
  static let maxInput = size(
    "--max-download", "bytes of an input that is no file (standard input, a pipe)",
    default: 50_000_000)
  static let maxPixels = Option.number(
    "--max-pixels", "N", "pixels of one picture, default 100000000", default: 100_000_000,
    in: 1...1_000_000_000)
  static let maxFrames = Option.number(
    "--max-frames", "N", "frames of one animation, default 1000", default: 1000, in: 1...100_000)

  // Jobs.
  static let once = Option.flag("--once", "work through what is there now, then end")
  static let drain = Option.flag("--drain", "work until nothing is incoming or active, then end")
  private static let shortestDeadline = Duration.milliseconds(100)
  static let deadline = duration(
    "--deadline", "time of a job that names none", default: .seconds(30), atLeast: shortestDeadline)
  static let maxDeadline = duration(
    "--max-deadline", "the furthest deadline a job may name", default: .seconds(60),
    atLeast: shortestDeadline)
  static let grace = duration(
    "--grace", "time to finish active jobs after SIGTERM", default: .seconds(8))
  static let keepDone = duration(
    "--keep-done", "how long finished payloads are kept; 0s keeps none", default: .seconds(604_800))
  static let keepOutbox = duration(
    "--keep-outbox", "how long outbox folders are kept", default: .seconds(86_400))
  static let parallelJobs = Option.number(
    "--parallel", "N", "jobs in flight at once, default 64", default: 64, in: 1...1024)
  static let wait = Option.flag("--wait", "wait for each manifest and print it")
  static let timeout = duration("--timeout", "how long --wait waits", default: .seconds(90))

  // Warm-up.
  static let budget = duration(
    "--budget", "the longest a run may take; the next goes on where it stopped",
    default: .seconds(300), atLeast: .seconds(1))
  static let perHost = Option.number(
    "--per-host", "N", "requests to one host at once, default 2", default: 2, in: 1...64)
  static let parallelItems = Option.number(
    "--parallel", "N", "pages and pictures in flight at once, default 16", default: 16,
    in: 1...256)
  static let refreshBefore = duration(
    "--refresh-before", "what stops being fresh within so long is refreshed",
    default: .seconds(3600))
  static let strict = Option.flag("--strict", "exit 1 when anything failed")

  // Network.
  static let allowAddress = Option.list(
    "--allow-address", "CIDR[,CIDR…]", "special-purpose addresses that may be reached")
  static let noPageFetch = Option.flag(
    "--no-page-fetch", "never read pages: the title is the payload's, or the host")
  static let finishLate = Option.flag(
    "--finish-late", "downloads that miss their deadline finish into the cache; =0 ends them",
    default: true)
  static let placeholder = Option.text(
    "--placeholder", "FILE", "the picture of jobs whose own cannot be had")
  static let proxy = Option.text("--proxy", "URL", "HTTP proxy, which then checks addresses")
  static let caFile = Option.text("--ca-file", "FILE", "PEM file with a further authority")
  static let netrcFile = Option.text("--netrc-file", "FILE", "credentials for private image hosts")
  static let publicBaseURL = Option.text(
    "--public-base-url", "URL", "where objects/ of the cache is served: fills objectURL")

  static let keepPublished = duration(
    "--keep-published", "how long objects with an objectURL are kept", default: .seconds(172_800))

  // Cache.
  static let cacheSize = size("--cache-size", "bytes the cache may hold", default: 2_000_000_000)
  static let minFree = size("--min-free", "bytes to leave free on the disk", default: 1_000_000_000)

  static let host = Option.text("--host", "HOST", "the sources of one host alone")
  static let all = Option.flag("--all", "everything")

  // Operations.
  static let sandbox = Option<SandboxChoice>.choice(
    "--sandbox", "what happens when a layer of isolation is missing", default: .required)
  static let decoders = Option.number(
    "--decoders", "N", "decodes at once, default: one a core", default: 0, in: 0...256)
  static let logFormat = Option<LogFormat>.choice(
    "--log-format", "form of the log records", default: .text)
  static let logLevel = Option<LogLevel>.choice(
    "--log-level", "the least severe record written", default: .info)

  private static func duration(
    _ name: String, _ summary: String, default fallback: Duration, atLeast least: Duration = .zero
  ) -> Option<Duration> {
    .value(
      name, "DURATION", "\(summary); default \(fallback.contractText)",
      default: fallback
    ) { text in
      (Duration(contractText: text) ?? (text == "0" ? .zero : nil)).flatMap {
        $0 < least ? nil : $0
      }
    }
  }

  private static func size(
    _ name: String, _ summary: String, default fallback: Int
  ) -> Option<Int> {
    .value(
      name, "SIZE", "\(summary); default \(ByteCount.text(fallback))", default: fallback
    ) { ByteCount.parse($0) }
  }
}

/// `--format`'s choices.
enum OutputFormatName: String, Sendable, CaseIterable {
  case auto, jpeg, png, gif

  var outputFormat: RenderRequest.OutputFormat {
    switch self {
    case .auto: .auto
    case .jpeg: .jpeg
    case .png: .png
    case .gif: .gif
    }
  }
}

/// `--sandbox`'s choices.
enum SandboxChoice: String, Sendable, CaseIterable {
  case required
  case bestEffort = "best-effort"
}
