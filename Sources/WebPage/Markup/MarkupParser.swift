internal import CXML

/// Who is told what a page consists of.
protocol MarkupListener: AnyObject {
  /// Names are in lower case.
  func startElement(_ name: String, _ attributes: MarkupAttributes)
  func endElement(_ name: String)
  /// Whether characters are of interest now.
  var wantsText: Bool { get }
  func text(_ text: String)
}

/// Runs libxml2's HTML parser over a page and tells what it meets; no tree is built, so memory does
/// not grow with the page.
@safe
final class MarkupParser {
  /// Elements inside each other beyond which the rest of a page is not read. Browsers stop nesting
  /// at 512.
  static let deepest = 1024

  private let listener: any MarkupListener
  private var context: htmlParserCtxtPtr?
  private var depth = 0
  private var isStopped = false

  private init(_ listener: any MarkupListener) {
    self.listener = listener
    unsafe context = nil
  }

  /// Makes the library set up what it sets up once.
  static func warmUp() {
    XMLLibrary.prepare()
  }

  /// Parses text in UTF-8. The corresponding C function is `htmlCtxtReadMemory`.
  static func parse(_ utf8: [UInt8], for listener: any MarkupListener) {
    MarkupParser(listener).parse(utf8)
  }

  private func parse(_ utf8: [UInt8]) {
    XMLLibrary.prepare()
    guard let context = unsafe htmlNewParserCtxt() else { return }
    defer { unsafe htmlFreeParserCtxt(context) }
    unsafe self.context = unsafe context
    guard let handlers = unsafe context.pointee.sax else { return }
    unsafe handlers.pointee = Self.handlers
    unsafe context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue | HTML_PARSE_NOIMPLIED.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
    unsafe utf8.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      let document = unsafe htmlCtxtReadMemory(
        context, start.assumingMemoryBound(to: CChar.self), Int32(clamping: buffer.count), nil,
        "UTF-8", Int32(options))
      unsafe xmlFreeDoc(document)
    }
    withExtendedLifetime(self) {}
  }

  private func start(_ name: String, _ attributes: MarkupAttributes) {
    guard !isStopped else { return }
    depth += 1
    guard depth <= Self.deepest else { return stop() }
    listener.startElement(name, attributes)
  }

  private func end(_ name: String) {
    guard !isStopped else { return }
    depth -= 1
    listener.endElement(name)
  }

  private func stop() {
    isStopped = true
    unsafe xmlStopParser(context)
  }

  private func characters(_ bytes: UnsafePointer<UInt8>, _ count: Int32) {
    guard !isStopped, listener.wantsText else { return }
    let buffer = unsafe UnsafeBufferPointer(start: bytes, count: Int(count))
    unsafe listener.text(String(decoding: buffer, as: UTF8.self))
  }

  private static var handlers: xmlSAXHandler {
    var handlers = unsafe xmlSAXHandler()
    unsafe handlers.startElement = { parser, name, attributes in
      guard let parser = unsafe MarkupParser.from(parser), let name = unsafe name else { return }
      unsafe parser.start(String(cString: name), MarkupAttributes(attributes))
    }
    unsafe handlers.endElement = { parser, name in
      guard let parser = unsafe MarkupParser.from(parser), let name = unsafe name else { return }
      unsafe parser.end(String(cString: name))
    }
    let text: charactersSAXFunc = { parser, bytes, count in
      guard let parser = unsafe MarkupParser.from(parser), let bytes = unsafe bytes else { return }
      unsafe parser.characters(bytes, count)
    }
    unsafe handlers.characters = unsafe text
    unsafe handlers.ignorableWhitespace = unsafe text
    unsafe handlers.cdataBlock = unsafe text
    return unsafe handlers
  }

  @unsafe private static func from(_ pointer: UnsafeMutableRawPointer?) -> MarkupParser? {
    unsafe pointer.map { unsafe Unmanaged<MarkupParser>.fromOpaque($0).takeUnretainedValue() }
  }
}
