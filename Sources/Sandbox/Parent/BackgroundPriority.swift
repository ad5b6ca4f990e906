internal import CSystemShims

/// Work that others go before: the process, its threads and the children it will start.
package enum BackgroundPriority {
  /// A tenth of a processor where live jobs want it all, and the last place in the queue of the
  /// disk; not less, since a job may wait for a download of ours.
  private static let nice: Int32 = 10

  /// The corresponding C functions are `setpriority` and `ioprio_set`, for each thread. What the
  /// kernel refuses stays as it was.
  package static func enter() {
    csystem_lower_priority(nice)
  }
}
