internal import Download
internal import Files
internal import Glibc
package import Media
internal import SharedCache

/// Everything that a worker is told; where it needs other parts of the house, in plain values.
package struct WorkerConfiguration: Sendable {
  package var jobs: String
  package var cache: String
  package var mode = WorkerMode.untilStopped
  package var parallelJobs = 64
  package var decoders: DecoderOptions
  package var recipe = RenditionRecipe()
  package var profiles = [RenditionProfile.iphone]
  package var timing = JobTiming.Policy()
  package var keepDone = Duration.seconds(604_800)
  package var keepOutbox = Duration.seconds(86_400)
  package var cacheSize = 2_000_000_000
  package var minFree = 1_000_000_000
  package var maxDownload = 50_000_000
  /// Whether downloads that miss their deadline go on into the cache.
  package var finishesLate = true
  /// A picture for those that have none; nil shows none.
  package var placeholder: String?
  /// Whether pages are read for what payloads leave out.
  package var readsPages = true
  /// Which sound and film is attached.
  package var rules = AttachmentRules.apple
  package var network = NetworkOptions()
  package var publicObjects: PublicObjects?
  package var settings: CurrentSettings
  package var log: Log

  package init(
    jobs: String, cache: String, decoders: DecoderOptions, settings: CurrentSettings, log: Log
  ) {
    self.jobs = jobs
    self.cache = cache
    self.decoders = decoders
    self.settings = settings
    self.log = log
  }
}

/// How the network is reached.
package struct NetworkOptions: Sendable, Hashable {
  /// Blocks of special-purpose addresses that may be reached all the same (CIDR).
  package var allowedAddresses: [String] = []
  package var proxy: String?
  package var authorityFile: String?
  package var netrcFile: String?
  /// Read where `netrcFile` is nil; the first that exists counts.
  package var netrcCandidates: [String] = []
  /// Connections to one host at a time.
  package var perHost = 6

  package init() {}
}

extension Duration {
  /// Milliseconds with one decimal.
  fileprivate var shortText: String {
    let tenths = Int64((self / .microseconds(100)).rounded())
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}

/// Why a worker cannot start: exit 3.
package struct UnusableEnvironment: Error, Sendable {
  package let message: String
  /// Whether what an option names is of no use, rather than the place: exit 2.
  package let isBadValue: Bool

  package init(_ message: String, isBadValue: Bool = false) {
    self.message = message
    self.isBadValue = isBadValue
  }
}

extension NetworkOptions {
  /// Where the product describes itself to those whose servers it asks.
  static let about = "https://github.com/wirephoto/wirephoto"

  /// The first of the address blocks that cannot be read.
  package var badAddressBlock: String? {
    allowedAddresses.first { AddressBlock($0) == nil }
  }

  /// Whether `proxy` names one.
  package var hasUsableProxy: Bool { proxy.map(ProxyAddress.isUsable) ?? true }

  /// Why `authorityFile` names no authority; nil where it does.
  package var authorityObjection: String? {
    guard let authorityFile else { return nil }
    do throws(SystemCallFailure) {
      let file = try Descriptor.open(authorityFile, flags: O_RDONLY)
      let bytes = try file.readToEnd(limit: AuthorityFile.mostBytes)
      return bytes.map(AuthorityFile.isUsable) == true ? nil : "it holds no certificate in PEM form"
    } catch {
      return error.reason
    }
  }

  func downloader(_ settings: CurrentSettings) throws(UnusableEnvironment) -> Downloader {
    var options = DownloadOptions(
      userAgent: DownloadOptions.userAgent(version: wirephotoVersion, about: Self.about),
      policy: AddressPolicy(allowing: allowedAddresses.compactMap { AddressBlock($0) }))
    options.proxy = proxy
    options.maximumPerHost = perHost
    options.authorityFile = authorityFile
    options.credentials = try credentials()
    options.hostRules = { settings.value.hosts }
    do throws(SystemCallFailure) {
      return try Downloader(options)
    } catch {
      throw UnusableEnvironment("downloads cannot start: \(error)")
    }
  }

  private func credentials() throws(UnusableEnvironment) -> Credentials? {
    for candidate in netrcFile.map({ [$0] }) ?? netrcCandidates {
      do throws(Credentials.Failure) {
        return try Credentials(path: candidate)
      } catch {
        if netrcFile == nil, case .unreadable(let failure) = error, failure.isMissing { continue }
        throw UnusableEnvironment("credentials \(candidate): \(error.message)")
      }
    }
    return nil
  }
}

extension WorkerConfiguration {
  /// Builds the worker. Throws where a directory, the sandbox or the network cannot be used.
  package func makeWorker() async throws(UnusableEnvironment) -> Worker {
    let directory = try openJobs()
    let cache = try openCache()
    let children = try await openChildren()
    if let costs = KeptCosts(directory).readDecoding() { children.meter.begin(with: costs) }
    let blocking = BlockingCalls(label: "disk")
    let downloader = try network.downloader(settings)
    var fetch = FetchStage(
      cache: cache, downloader: downloader, blocking: blocking, byteLimit: maxDownload)
    fetch.revalidations = Revalidations()
    fetch.lateDownloads = finishesLate ? LateDownloads() : nil
    fetch.settings = settings
    var pipeline = Pipeline(
      cache: cache, resolve: ResolveStage(),
      attach: AttachStage(
        fetch: fetch,
        render: RenderStage(
          cache: cache, children: children, blocking: blocking, recipe: recipe,
          publishesObjects: publicObjects != nil), rules: rules),
      pages: readsPages ? PageStage(fetch: fetch, children: children) : nil,
      publicObjects: publicObjects)
    if let placeholder {
      pipeline.placeholder = try await Placeholder.open(
        placeholder, limit: maxDownload, profiles: profiles, render: pipeline.attach.render)
    }
    let runner = JobRunner(
      pipeline: pipeline, blocking: blocking, meter: meter(directory),
      settings: .init(profiles: profiles, keepsPayload: keepDone > .zero, current: settings),
      log: log)
    let current = CurrentJobDirectory(directory)
    var queueSettings = JobQueue.Settings()
    queueSettings.timing = timing
    queueSettings.keepsDone = keepDone > .zero
    do throws(SystemCallFailure) {
      return try Worker(
        directory: current, runner: runner, settings: queueSettings, mode: mode,
        width: parallelJobs,
        housekeeper: housekeeper(current, cache, runner.meter, children.meter), log: log)
    } catch {
      throw UnusableEnvironment("\(error)")
    }
  }

  /// What publishing cost when last it was known, else what it costs now.
  private func meter(_ directory: JobDirectory) -> PublicationMeter {
    let kept = KeptCosts(directory)
    let cost =
      kept.readPublication() ?? PublicationProbe(directory: directory).measure() ?? .unknown
    log.info(
      "publishing takes \(cost.first.shortText), and \(cost.each.shortText) for each beside it")
    return PublicationMeter(cost)
  }

  private func housekeeper(
    _ directory: CurrentJobDirectory, _ cache: SharedCache, _ meter: PublicationMeter,
    _ decoding: DecodeMeter
  ) -> Housekeeper {
    var settings = Janitor.Settings()
    settings.keepDone = keepDone
    settings.keepSources = publicObjects?.keep ?? .zero
    settings.keepOutbox = keepOutbox
    return Housekeeper(
      directory: directory, keeping: settings, cache: cache, meter: meter, decoding: decoding,
      log: log)
  }

  private func openJobs() throws(UnusableEnvironment) -> JobDirectory {
    do throws(SystemCallFailure) {
      return try JobDirectory.open(jobs)
    } catch {
      throw UnusableEnvironment("job directory \(jobs): \(error)")
    }
  }

  private func openCache() throws(UnusableEnvironment) -> SharedCache {
    do throws(CacheFailure) {
      return try SharedCache.open(
        directory: cache, limits: CacheLimits(maxBytes: cacheSize, minFree: minFree))
    } catch {
      throw UnusableEnvironment("\(error)")
    }
  }

  private func openChildren() async throws(UnusableEnvironment) -> PictureChildren {
    do throws(UnusableDecoders) {
      let children = try PictureChildren.opening(decoders)
      let posture = try await children.confinement()
      if posture.isSufficient {
        log.info("sandbox: \(posture.description)")
      } else {
        log.warning("sandbox is not sufficient: \(posture.description)")
      }
      return children
    } catch {
      throw UnusableEnvironment(error.reason)
    }
  }
}
