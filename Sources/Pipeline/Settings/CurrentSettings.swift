internal import Dispatch
internal import Glibc
internal import Synchronization

/// The settings in force: read at start, and again on SIGHUP.
package final class CurrentSettings: Sendable {
  private let path: String?
  private let cache: String?
  private let state: Mutex<Settings>

  /// Reads the file; see `Settings.load`.
  package init(_ path: String?, cache: String?) throws(SettingsFailure) {
    self.path = path
    self.cache = cache
    state = Mutex(try Settings.load(path, cache: cache))
  }

  package var value: Settings { state.withLock { $0 } }

  /// Reads the file again; one that cannot be used leaves the settings as they were.
  package func reload(_ log: Log) {
    do throws(SettingsFailure) {
      let settings = try Settings.load(path, cache: cache)
      state.withLock { $0 = settings }
      log.info("settings read again")
    } catch {
      log.error("settings stay as they were: \(error.message)")
    }
  }
}

/// Has settings read again on SIGHUP, for as long as this object lives.
package final class ReloadSignal {
  private let source: any DispatchSourceSignal

  package init(_ settings: CurrentSettings, log: Log) {
    signal(SIGHUP, SIG_IGN)
    source = DispatchSource.makeSignalSource(signal: SIGHUP)
    source.setEventHandler { settings.reload(log) }
    source.resume()
  }

  deinit {
    source.cancel()
  }
}
