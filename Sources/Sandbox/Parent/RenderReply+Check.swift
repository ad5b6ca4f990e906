package import Files
package import Media

extension RenderReply {
  /// Compares the answer with what was asked and with what lies in the output: a child that has
  /// read hostile bytes may say anything.
  package func check(
    against request: RenderRequest, output: borrowing Descriptor
  ) throws(ChildFailure) {
    let size: Int
    do throws(SystemCallFailure) {
      size = try output.size()
    } catch {
      throw .unavailable("\(error)")
    }
    guard Set(renditions.map(\.requestIndex)).count == renditions.count else {
      throw .protocolViolation("two renditions for one request")
    }
    guard request.operation == .render || renditions.isEmpty else {
      throw .protocolViolation("renditions that nobody asked for")
    }
    for rendition in renditions {
      try rendition.check(against: request)
      guard rendition.bytes.upperBound <= size else {
        throw .protocolViolation("a rendition at \(rendition.bytes) of \(size) bytes")
      }
      guard rendition.bears(signatureIn: output) else {
        throw .protocolViolation("a rendition that is no \(rendition.format.rawValue)")
      }
    }
    for part in [cover, attachment].compactMap(\.self) {
      guard !part.bytes.isEmpty, part.bytes.upperBound <= size else {
        throw .protocolViolation("a part at \(part.bytes) of \(size) bytes")
      }
      guard part.bears(signatureIn: output) else {
        throw .protocolViolation("a part that is no \(part.format.rawValue)")
      }
    }
    guard cover == nil || cover?.format.kind == .image,
      attachment == nil || request.attachment != nil && attachment?.format.kind != .image
    else { throw .protocolViolation("a part that nobody asked for") }
  }
}

extension RenderReply.Part {
  /// Whether its first bytes are told to be of its format.
  fileprivate func bears(signatureIn output: borrowing Descriptor) -> Bool {
    guard let start = try? output.read(at: bytes.lowerBound, count: min(4096, bytes.count)) else {
      return false
    }
    return MediaFormat.sniff(start) == format
  }
}

extension RenderReply.Rendition {
  fileprivate func check(against request: RenderRequest) throws(ChildFailure) {
    guard request.renditions.indices.contains(requestIndex) else {
      throw .protocolViolation("a rendition for request \(requestIndex)")
    }
    guard request.renditions[requestIndex].admits(size) else {
      throw .protocolViolation("a rendition of \(size)")
    }
    guard !bytes.isEmpty else { throw .protocolViolation("an empty rendition") }
    let mostFrames = format == .gif ? request.limits.maxFrames : 1
    guard 1...max(1, mostFrames) ~= frames else {
      throw .protocolViolation("a rendition of \(frames) frames")
    }
  }

  /// Whether its first bytes are those of its format, which is one that we emit.
  fileprivate func bears(signatureIn output: borrowing Descriptor) -> Bool {
    let signatures: [[UInt8]] =
      switch format {
      case .jpeg: [[0xff, 0xd8, 0xff]]
      case .png: [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]]
      case .gif: [Array("GIF87a".utf8), Array("GIF89a".utf8)]
      default: []
      }
    let count = min(8, bytes.count)
    guard let start = try? output.read(at: bytes.lowerBound, count: count) else { return false }
    return signatures.contains { start.starts(with: $0) }
  }
}

extension RenderRequest.Rendition {
  /// Whether a picture of the size is one that the box allows: inside it when it fills it, no side
  /// above its longer side when it is contained.
  fileprivate func admits(_ size: PixelSize) -> Bool {
    switch fit {
    case .cover: size.width <= box.width && size.height <= box.height
    case .contain: max(size.width, size.height) <= max(box.width, box.height)
    }
  }
}
