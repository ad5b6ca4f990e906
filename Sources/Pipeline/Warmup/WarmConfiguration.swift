internal import Download
internal import Files
package import Media
internal import Sandbox
internal import SharedCache

/// Everything that a warm-up is told.
package struct WarmConfiguration: Sendable {
  package var cache: String
  package var decoders: DecoderOptions
  package var recipe = RenditionRecipe()
  package var profiles = [RenditionProfile.iphone]
  package var limits = Warmup.Limits()
  package var cacheSize = 2_000_000_000
  package var minFree = 1_000_000_000
  package var maxDownload = 50_000_000
  package var network = NetworkOptions()
  package var settings: CurrentSettings

  package init(cache: String, decoders: DecoderOptions, settings: CurrentSettings) {
    self.cache = cache
    self.decoders = decoders
    self.settings = settings
  }

  /// Warms the cache from operands. Does nothing, and says so in the report, while another process
  /// warms it. Throws where cache, sandbox or network cannot be used.
  package func run(
    _ operands: [String], stoppedBy signals: StopSignals,
    tell: @escaping (Warmup.News) -> Void
  ) async throws(UnusableEnvironment) -> WarmReport {
    let shared = try openCache()
    let folder = try openFolder()
    let lock = try Self.lock(folder)
    switch consume lock {
    case .none:
      var report = WarmReport()
      report.isBusy = true
      return report
    case .some(let lock):
      // The lock is held until the run has ended.
      defer { _ = lock.number }
      return try await run(operands, shared, folder, signals, tell)
    }
  }

  private func run(
    _ operands: [String], _ shared: SharedCache, _ folder: borrowing WarmFolder,
    _ signals: StopSignals, _ tell: @escaping (Warmup.News) -> Void
  ) async throws(UnusableEnvironment) -> WarmReport {
    BackgroundPriority.enter()
    let warmup = try await make(shared, folder)
    return try await warmup.run(
      operands.map { WarmSource($0) }, folder: folder, stoppedBy: signals, tell: tell)
  }

  private func openCache() throws(UnusableEnvironment) -> SharedCache {
    do throws(CacheFailure) {
      return try SharedCache.open(
        directory: cache, limits: CacheLimits(maxBytes: cacheSize, minFree: minFree))
    } catch {
      throw UnusableEnvironment("\(error)")
    }
  }

  private func openFolder() throws(UnusableEnvironment) -> WarmFolder {
    do throws(SystemCallFailure) {
      return try WarmFolder.open(cache: cache)
    } catch {
      throw UnusableEnvironment("cache: \(error)")
    }
  }

  private static func lock(
    _ folder: borrowing WarmFolder
  ) throws(UnusableEnvironment) -> Descriptor? {
    do throws(SystemCallFailure) {
      return try folder.lock()
    } catch {
      throw UnusableEnvironment("cache: \(error)")
    }
  }

  private func make(
    _ shared: SharedCache, _ folder: borrowing WarmFolder
  ) async throws(UnusableEnvironment) -> Warmup {
    let children = try await openChildren()
    let blocking = BlockingCalls(label: "disk")
    var network = network
    network.perHost = limits.perHost
    let downloader = try network.downloader(settings)
    let pauses = HostPauses(folder.savedPauses())
    let refresh = FetchStage.Refresh(
      horizon: limits.refreshBefore.wholeMilliseconds, since: WallClock.now())
    var fetch = FetchStage(
      cache: shared, downloader: downloader, blocking: blocking, byteLimit: maxDownload)
    fetch.pauses = pauses
    fetch.refresh = refresh
    fetch.settings = settings
    var render = RenderStage(cache: shared, children: children, blocking: blocking, recipe: recipe)
    render.leadsFlights = false
    let documents = try openDocuments(folder)
    let parser = DocumentParser(children: children)
    let work = WarmWork(
      cache: shared, blocking: blocking, attach: AttachStage(fetch: fetch, render: render),
      documents: DocumentStage(
        cache: shared, downloader: downloader, blocking: blocking, documents: documents,
        parser: parser, pauses: pauses, refresh: refresh),
      profiles: profiles)
    return Warmup(
      work: work, parser: parser, pauses: pauses, limits: limits, settings: settings.value,
      cache: shared, documents: documents)
  }

  private func openDocuments(
    _ folder: borrowing WarmFolder
  ) throws(UnusableEnvironment) -> SharedDocuments {
    do throws(SystemCallFailure) {
      return SharedDocuments(
        WarmDocuments(try folder.folder.subdirectory(WarmFolder.documents)))
    } catch {
      throw UnusableEnvironment("cache: \(error)")
    }
  }

  private func openChildren() async throws(UnusableEnvironment) -> PictureChildren {
    do throws(UnusableDecoders) {
      let children = try PictureChildren.opening(decoders)
      _ = try await children.confinement()
      return children
    } catch {
      throw UnusableEnvironment(error.reason)
    }
  }
}
