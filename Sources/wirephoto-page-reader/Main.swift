internal import Files
internal import Media
internal import Sandbox
internal import WebPage

/// Reads one HTML page, feed or sitemap, and tells what it says of itself.
@main struct PageReaderProgram {
  static func main() {
    ChildProgram.run(family: .page, warmUp: PageReader.warmUp) { request, input, output in
      read(request, MappedInput(input), Descriptor(adopting: output)).encoded
    }
  }

  private static func read(
    _ request: [UInt8], _ input: consuming MappedInput?, _ output: consuming Descriptor
  ) -> PageReply {
    guard let request = try? PageRequest(decoding: request), let input else {
      return PageReply(problems: [Problem(.page, .notMedia, "the page could not be read")])
    }
    switch request.form {
    case .page: return input.withBytes { PageReader.read(request, $0) }
    case .listing:
      let lines = ListingLines(output)
      let reply = input.withBytes { bytes in
        ListingReader.read(request, bytes) { lines.append($0) }
      }
      lines.flush()
      return reply
    }
  }
}

/// The entries on their way to the output, some at a time.
private final class ListingLines {
  private let output: Descriptor
  private var buffer: [UInt8] = []
  private static let pieceSize = 64 << 10

  init(_ output: consuming Descriptor) {
    self.output = output
  }

  func append(_ entry: ListingEntry) {
    buffer += entry.line ?? []
    if buffer.count >= Self.pieceSize { flush() }
  }

  /// What does not fit the output is missing: the parent counts.
  func flush() {
    try? output.write(buffer)
    buffer = []
  }
}
