internal import CCurl
package import Files
internal import Glibc
internal import Media

/// Fetches bodies over http and https into files, many at once, none past its deadline, none from
/// an address that the policy refuses.
///
/// Connections are shared among the transfers of one downloader, which all have one policy.
package final class Downloader: Sendable {
  private let options: DownloadOptions
  private let mailbox: TransferMailbox

  /// Starts the transfer thread.
  package init(_ options: DownloadOptions) throws(SystemCallFailure) {
    self.options = options
    mailbox = try TransferMailbox()
    try TransferThread.start(mailbox, options: options)
  }

  deinit {
    mailbox.close()
  }

  /// Fetches into `destination`, a regular or memory file open for writing, which the caller keeps
  /// open until this returns and which is written from its start. After a failure it holds what had
  /// arrived, by the first try where the second brought no byte: the beginning of a picture may be
  /// worth showing.
  package func fetch(
    _ request: DownloadRequest, into destination: Int32
  ) async throws(DownloadFailure) -> DownloadResponse {
    let rule = options.hostRules().rule(for: request.address.host)
    try rule.check(request.address)
    var request = request
    if let timeout = rule.timeout {
      let latest = Deadline.after(timeout)
      request.deadline = min(request.deadline, latest)
      request.hostEnd = latest
    }
    var journey = Journey(request, destination: destination, options: options)
    while true {
      let outcome = await run(journey.exchange())
      guard let response = try journey.arrive(outcome) else {
        try await pause(journey.pause)
        continue
      }
      return response
    }
  }

  private func run(_ exchange: Exchange) async -> Exchange.Outcome {
    let ticket = TransferTicket()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        mailbox.post(
          TransferMailbox.Arrival(exchange: exchange, ticket: ticket, continuation: continuation))
      }
    } onCancel: {
      ticket.cancel()
      mailbox.wake.signal()
    }
  }

  private func pause(_ duration: Duration) async throws(DownloadFailure) {
    guard duration > .zero else { return }
    do {
      try await Task.sleep(for: duration)
    } catch {
      throw .cancelled
    }
  }
}

extension Downloader {
  /// libcurl with the libraries it uses. The corresponding C function is `curl_version`.
  package static var libraryVersion: String { unsafe String(cString: curl_version()) }
}
