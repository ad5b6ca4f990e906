internal import CSystemShims
internal import Files
internal import Glibc
package import Media

/// The whole life of a child executable: confined, one input, one answer.
package enum ChildProgram {
  /// Serves one picture request. `warmUp` runs unconfined, before any input: what libraries open
  /// or start lazily must happen there. `body` gets the input and the output, at offset 0; it may
  /// read or map the one and write the other, and make no other system call than the family's
  /// policy allows.
  package static func run(
    family: ChildFamily, warmUp: () -> Void = {},
    body: (_ request: RenderRequest, _ input: Int32, _ output: Int32) -> RenderReply
  ) -> Never {
    run(family: family, warmUp: warmUp) { (bytes: [UInt8], input, output) -> [UInt8] in
      do throws(MessageFailure) {
        return body(try RenderRequest(decoding: bytes), input, output).encoded
      } catch {
        csystem_leave(ChildExit.protocolCode)
      }
    }
  }

  /// Serves one request of another kind: bytes in, bytes out.
  package static func run(
    family: ChildFamily, warmUp: () -> Void = {},
    body: (_ request: [UInt8], _ input: Int32, _ output: Int32) -> [UInt8]
  ) -> Never {
    warmUp()
    // What a library left open would be within reach of hostile input.
    guard csystem_close_from(3) == 0, csystem_note_allocation_failures(ChildExit.memoryCode) == 0
    else {
      csystem_leave(ChildExit.protocolCode)
    }
    send(.ready(Confinement.enter(family)))
    let (request, input, output) = receiveRequest()
    send(.reply(body(request, input, output)))
    waitForTheEnd()
  }

  private static func send(_ envelope: Envelope) {
    let bytes = envelope.encoded
    // write, not sendmsg: a child that can send descriptors is none we want.
    let written = unsafe bytes.withUnsafeBytes { unsafe write(control, $0.baseAddress, $0.count) }
    if written != bytes.count { csystem_leave(ChildExit.protocolCode) }
  }

  private static func receiveRequest() -> ([UInt8], Int32, Int32) {
    var bytes = [UInt8](repeating: 0, count: MessageLimit.bytes)
    var descriptors: [Int32] = [-1, -1]
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe descriptors.withUnsafeMutableBufferPointer { numbers -> Int in
        guard let address = buffer.baseAddress, let first = numbers.baseAddress else { return -1 }
        return unsafe csystem_receive(control, address, buffer.count, first, 2)
      }
    }
    // The parent went away, or has no more work.
    if count == 0 { csystem_leave(0) }
    guard count > 0, case .request(let request)? = try? Envelope(decoding: Array(bytes[..<count]))
    else { csystem_leave(ChildExit.protocolCode) }
    return (request, descriptors[0], descriptors[1])
  }

  /// The parent first reads how much memory was used, then closes its end.
  private static func waitForTheEnd() -> Never {
    var byte: UInt8 = 0
    _ = unsafe read(control, &byte, 1)
    csystem_leave(0)
  }

  private static let control: Int32 = 0
}
