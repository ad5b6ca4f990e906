internal import CCurl
internal import Files
internal import Glibc

// What libcurl calls on the transfer thread. Each context is a Transfer that outlives its handle.

/// - Safety: the context is a live Transfer.
@unsafe private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
  guard let context = unsafe context else { return nil }
  return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
}

@unsafe func onHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let transfer = unsafe transfer(context) else { return 0 }
  let line = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
  return transfer.receiveHeader(line) ? count : 0
}

@unsafe func onBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let transfer = unsafe transfer(context) else { return 0 }
  let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
  // Zero means that nothing was taken, which ends the transfer, unless nothing was offered.
  return transfer.receiveBody(unsafe buffer.bytes) ? count : -1
}

/// Decides on the resolved address, at the last moment before connect(2).
@unsafe func onOpenSocket(
  _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
  _ target: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let transfer = unsafe transfer(context), let target = unsafe target,
    let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr)
  else { return CURL_SOCKET_BAD }
  // The structure ends in a sockaddr that is longer than its declared type.
  let name = unsafe UnsafeRawPointer(target).advanced(by: offset)
  guard let address = unsafe IPAddress(name.assumingMemoryBound(to: sockaddr.self)),
    transfer.permits(address)
  else { return CURL_SOCKET_BAD }
  transfer.openedSockets += 1
  let kind = unsafe target.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
  let opened = unsafe socket(target.pointee.family, kind, target.pointee.protocol)
  if opened < 0 { transfer.noteShortage(SystemCallFailure("socket")) }
  return opened
}

/// Checks once more before the request is sent: a connection that is used again opened no socket, and
/// libcurl may send a request on six of them, one after the other (transfer.c, `Curl_retry_request`).
@unsafe func onRequest(
  _ context: UnsafeMutableRawPointer?, _ peer: UnsafeMutablePointer<CChar>?,
  _ local: UnsafeMutablePointer<CChar>?, _ peerPort: Int32, _ localPort: Int32
) -> Int32 {
  guard let transfer = unsafe transfer(context), transfer.permitsRequest() else {
    return CURL_PREREQFUNC_ABORT
  }
  if transfer.options.proxy != nil { return CURL_PREREQFUNC_OK }
  guard let peer = unsafe peer, let address = unsafe IPAddress(String(cString: peer)),
    transfer.permits(address)
  else { return CURL_PREREQFUNC_ABORT }
  return CURL_PREREQFUNC_OK
}

extension Transfer {
  fileprivate func noteShortage(_ failure: SystemCallFailure) {
    if failure.isPassing { shortage = failure }
  }

  /// Whether the request may be sent, the first time or once more: then on a new connection.
  fileprivate func permitsRequest() -> Bool {
    let connections = easy.number(CURLINFO_NUM_CONNECTS)
    needsFreshConnection = requestCount > 0 && connections == connectionCount
    requestCount += 1
    connectionCount = connections
    return !needsFreshConnection
  }

  /// Whether the policy lets us connect; a refusal is kept for the failure's message.
  fileprivate func permits(_ address: IPAddress) -> Bool {
    if options.policy.allows(address) { return true }
    guard let reason = options.policy.refusal(of: address, own: own.current) else { return true }
    refusals.append((address, reason))
    return false
  }
}
