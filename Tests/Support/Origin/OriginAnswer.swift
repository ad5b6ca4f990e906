internal import Glibc

/// Sends one answer as its behaviour has it. False when the connection must end.
struct OriginAnswer {
  let connection: OriginConnection
  let behaviour: Behaviour
  let request: OriginRequest
  let body: [UInt8]?

  func send() -> Bool {
    if behaviour.delay > 0, connection.waitForClose(milliseconds: Int32(behaviour.delay)) {
      return false
    }
    switch behaviour.shape {
    case .silent:
      _ = connection.waitForClose(milliseconds: -1)
      return false
    case .bare:
      _ = connection.write(bodyBytes)
      return false
    case .interim: return repeatForEver("HTTP/1.1 102 Processing\r\n\r\n")
    case .headers:
      return connection.write("HTTP/1.1 200 OK\r\n".utf8)
        && repeatForEver("X-Padding: \(String(repeating: "x", count: 1000))\r\n")
    default: return sendAnswer()
    }
  }

  private var status: Int {
    if isNotModified { return 304 }
    if body == nil, behaviour.status == 200, behaviour.shape == .plain { return 404 }
    return behaviour.status
  }

  private var isNotModified: Bool {
    if let etag = behaviour.etag { return request.headers["if-none-match"] == etag }
    guard let date = behaviour.lastModified else { return false }
    return request.headers["if-modified-since"] == date
  }

  private var bodyBytes: [UInt8] {
    switch behaviour.shape {
    case .html: Array("<!doctype html><title>Not found</title><p>No such picture.".utf8)
    default: body ?? []
    }
  }

  private func sendAnswer() -> Bool {
    let status = status
    let bytes =
      status == 200 || behaviour.size != nil ? bodyBytes : Array("status \(status)\n".utf8)
    guard write(Array(header(status, bytes.count).utf8), rate: behaviour.headerRate) else {
      return false
    }
    if status == 304 || request.method == "HEAD" { return true }
    switch behaviour.shape {
    case .padded:
      return connection.write(chunk(bytes))
        && repeatForEver("1000\r\n\(String(repeating: "x", count: 4096))\r\n")
    case .endless: return repeatForEver("1000\r\n\(String(repeating: "x", count: 4096))\r\n")
    case .bomb: return sendBomb()
    case .chunked:
      return write(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes, rate: rate)
        && connection.write("\r\n0\r\n\r\n".utf8)
    default: return sendPlain(bytes)
    }
  }

  private var rate: Int? { behaviour.bodyRate }

  private func sendPlain(_ bytes: [UInt8]) -> Bool {
    switch behaviour.ending {
    case .regular:
      // A wrong length leaves the client waiting; only the end of the connection tells.
      return write(bytes, rate: rate) && behaviour.length == nil
    case .stall(let percent):
      return sendPart(bytes, percent) && !connection.waitForClose(milliseconds: -1)
    case .reset(let percent):
      _ = sendPart(bytes, percent)
      // What was sent must have been read: RST discards what has not.
      _ = connection.waitForClose(milliseconds: 50)
      connection.resetOnClose()
      return false
    case .close(let percent):
      _ = sendPart(bytes, percent)
      return false
    }
  }

  private func sendPart(_ bytes: [UInt8], _ percent: Int) -> Bool {
    write(Array(bytes.prefix(bytes.count * percent / 100)), rate: rate)
  }

  private func header(_ status: Int, _ count: Int) -> String {
    var lines = ["HTTP/1.1 \(status) Status"]
    let type = behaviour.shape == .html ? "text/html" : "image/png"
    lines.append("Content-Type: \(behaviour.contentType ?? type)")
    for field in behaviour.fields {
      let isTag = status == 304 && field.name == "ETag"
      let value = isTag ? behaviour.confirmedTag ?? field.value : field.value
      lines.append("\(field.name): \(value)")
    }
    if let location = behaviour.location { lines.append("Location: \(location)") }
    switch behaviour.shape {
    case .chunked, .endless, .padded, .bomb: lines.append("Transfer-Encoding: chunked")
    default: if status != 304 { lines.append("Content-Length: \(declared(count))") }
    }
    return lines.joined(separator: "\r\n") + "\r\n\r\n"
  }

  private func declared(_ count: Int) -> String {
    guard let length = behaviour.length else { return "\(count)" }
    guard length.hasPrefix("+") || length.hasPrefix("-"), let difference = Int(length) else {
      return length
    }
    return "\(count + difference)"
  }

  /// Writes at a rate, a tenth of a second's worth at a time (at least one byte).
  private func write(_ bytes: [UInt8], rate: Int?) -> Bool {
    guard let rate, rate > 0 else { return connection.write(bytes) }
    let step = max(1, rate / 10)
    var rest = bytes[...]
    while !rest.isEmpty {
      guard connection.write(rest.prefix(step)) else { return false }
      rest = rest.dropFirst(step)
      if connection.waitForClose(milliseconds: Int32(1000 * step / rate)) { return false }
    }
    return true
  }

  private func repeatForEver(_ text: String) -> Bool {
    while connection.write(text.utf8) {}
    return false
  }

  /// A gzip header, then one deflate block with fixed codes: a zero, and copies of 258 bytes from
  /// distance 1 at 13 bits each (RFC 1951 §3.2.6), eight of which fill 13 bytes.
  private func sendBomb() -> Bool {
    var bits = BitString()
    // Not the last block, fixed codes; the literal 0 is 00110000.
    bits.append([0, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0])
    // Fill up to a byte with copies, then the pattern repeats every 13 bytes.
    let copy: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]
    while bits.count % 8 != 0 { bits.append(copy) }
    let start: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255] + bits.bytes
    var pattern = BitString()
    for _ in 0..<8 * 1000 { pattern.append(copy) }
    guard connection.write(chunk(start)) else { return false }
    let repeated = chunk(pattern.bytes)
    while connection.write(repeated) {}
    return false
  }

  private func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
  }
}

/// Bits packed into bytes from the least significant on, as deflate does.
private struct BitString {
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0

  mutating func append(_ bits: [UInt8]) {
    for bit in bits {
      if count % 8 == 0 { bytes.append(0) }
      bytes[count / 8] |= bit << (count % 8)
      count += 1
    }
  }
}
