internal import Files
internal import Glibc

/// The one thread on which libcurl runs.
enum TransferThread {
  private final class Start: Sendable {
    let mailbox: TransferMailbox
    let options: DownloadOptions

    init(_ mailbox: TransferMailbox, _ options: DownloadOptions) {
      self.mailbox = mailbox
      self.options = options
    }
  }

  /// Starts the thread, which ends by itself when the mailbox is closed. The corresponding C
  /// function is `pthread_create`.
  static func start(
    _ mailbox: TransferMailbox, options: DownloadOptions
  ) throws(SystemCallFailure) {
    let start = unsafe Unmanaged.passRetained(Start(mailbox, options))
    var thread = pthread_t()
    let number = unsafe pthread_create(&thread, nil, unsafe body, start.toOpaque())
    guard number == 0 else {
      unsafe start.release()
      throw SystemCallFailure("pthread_create", number: number)
    }
    pthread_detach(thread)
  }

  private static let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    context in
    guard let context = unsafe context else { return nil }
    let start = unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
    ignoreSignals()
    TransferLoop(start.mailbox, options: start.options).run()
    return nil
  }

  /// OpenSSL writes to sockets without MSG_NOSIGNAL, and with CURLOPT_NOSIGNAL nobody else keeps
  /// SIGPIPE from ending the process. Resolver threads inherit the mask.
  private static func ignoreSignals() {
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
  }
}
