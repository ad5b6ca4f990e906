import Media
import WebPage

/// Reads a page in the tests' own process.
func read(_ page: [UInt8], contentType: String? = nil) -> PageReply {
  unsafe PageReader.read(PageRequest(contentType: contentType), page.span.bytes)
}

func read(_ page: String, contentType: String? = nil) -> PageReply {
  read(Array(page.utf8), contentType: contentType)
}
