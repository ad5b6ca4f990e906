internal import Media
internal import Sandbox
internal import WebPage

/// Reads one HTML page, and tells what it says of itself.
@main struct PageReaderProgram {
  static func main() {
    ChildProgram.run(family: .page, warmUp: PageReader.warmUp) { request, input, _ in
      read(request, MappedInput(input)).encoded
    }
  }

  private static func read(_ request: [UInt8], _ input: consuming MappedInput?) -> PageReply {
    guard let request = try? PageRequest(decoding: request), let input else {
      return PageReply(problems: [Problem(.page, .notMedia, "the page could not be read")])
    }
    return input.withBytes { PageReader.read(request, $0) }
  }
}
