internal import Dispatch
internal import Glibc
internal import Media

/// SIGTERM and SIGINT as a sequence, for as long as this object lives.
package final class StopSignals {
  package let arrivals: AsyncStream<Void>
  private let sources: [any DispatchSourceSignal]

  /// From now on neither signal ends the process by itself.
  package init() {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    arrivals = stream
    sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
  }
}

extension Worker {
  /// Works until its mode is over or a signal says so: the first ends it in an orderly way within
  /// `grace`, the second at once. Either way nothing is lost, and it returns.
  package func run(
    stoppedBy signals: StopSignals, grace: Duration, under manager: ServiceManager
  ) async throws {
    let arrivals = signals.arrivals
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await self.stop(on: arrivals, grace: grace, telling: manager) }
      group.addTask { await manager.watch() }
      manager.tellReady()
      try await run(telling: manager)
      for besides in besides { besides.close(by: .after(grace)) }
      for besides in besides { await besides.finish() }
      group.cancelAll()
    }
  }

  private func stop(
    on arrivals: AsyncStream<Void>, grace: Duration, telling manager: ServiceManager
  ) async {
    await withDiscardingTaskGroup { group in
      var isFirst = true
      for await _ in arrivals {
        if isFirst {
          manager.tellStopping()
          for besides in besides { besides.close(by: .after(grace)) }
          group.addTask { await self.stop(grace: grace) }
        } else {
          for besides in besides { besides.close(by: .after(.zero)) }
          self.stopNow()
        }
        isFirst = false
      }
      group.cancelAll()
    }
  }
}
