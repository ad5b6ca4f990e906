internal import Files
internal import Glibc

/// The one thread that children are started from; it lives until the supervisor is stopped.
enum SupervisorThread {
  /// What the thread starts with.
  private final class Start {
    let configuration: ChildConfiguration
    let queue: CommandQueue

    init(_ configuration: ChildConfiguration, _ queue: CommandQueue) {
      self.configuration = configuration
      self.queue = queue
    }
  }

  /// The corresponding C function is `pthread_create`.
  static func start(
    _ configuration: ChildConfiguration, _ queue: CommandQueue
  ) throws(SystemCallFailure) {
    let start = unsafe Unmanaged.passRetained(Start(configuration, queue))
    var thread = pthread_t()
    // Signals are the business of the worker's other threads.
    var (all, before) = (sigset_t(), sigset_t())
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    let error = unsafe pthread_create(&thread, nil, threadMain, start.toOpaque())
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    guard error == 0 else {
      unsafe start.release()
      throw SystemCallFailure("pthread_create", number: error)
    }
    pthread_detach(thread)
  }

  private static let threadMain:
    @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
      guard let argument = unsafe argument else { return nil }
      let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
      var loop = SupervisorLoop(start.configuration, start.queue)
      loop.run()
      return nil
    }
}
