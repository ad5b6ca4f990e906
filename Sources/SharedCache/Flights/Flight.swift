internal import Files

/// The sole right, among all processes, to fetch one thing; ends with its owner, be it by SIGKILL.
package struct Flight: ~Copyable, Sendable {
  private let lock: Descriptor
  private let name: String
  private let control: SingleFlight

  init(lock: consuming Descriptor, name: String, control: SingleFlight) {
    self.lock = lock
    self.name = name
    self.control = control
  }

  deinit {
    // The name goes while the lock is held: those who wait see by it that the flight has ended.
    control.land(name)
  }

  /// Lets those who wait know that the work itself has begun; for as long as the flight lasts.
  package var begin: @Sendable () -> Void {
    { [control, name] in control.markBegun(name) }
  }

  /// Ends the flight: what was fetched must have been stored before.
  package consuming func land() {}
}

/// What became of asking for a flight. Either way the caller looks up again before it fetches.
package enum Boarding: ~Copyable, Sendable {
  /// Nobody else fetches while the flight lasts.
  case leading(Flight)
  /// Another's flight has ended meanwhile; ask again if the look-up still finds nothing.
  case landed
}
