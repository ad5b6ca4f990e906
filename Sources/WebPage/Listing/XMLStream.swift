internal import CXML
internal import Glibc

/// Who is told what an XML document consists of.
protocol XMLListener: AnyObject {
  func startElement(_ name: XMLName, _ attributes: XMLAttributes)
  func endElement(_ name: XMLName)
  /// Whether characters are of interest now.
  var wantsText: Bool { get }
  func text(_ text: String)
  /// Whether nothing more is wanted.
  var isDone: Bool { get }
}

/// A name with what its namespace is for.
struct XMLName: Hashable {
  var space: String
  var local: String
}

/// Runs libxml2's push parser and tells what it meets. No tree is built; entities that a document
/// declares are never kept, so that none can be expanded; nothing outside is ever loaded.
@safe
final class XMLStream {
  /// Elements inside each other beyond which a document is not read further.
  static let deepest = 256

  private let listener: any XMLListener
  private var context: xmlParserCtxtPtr?
  private var depth = 0
  private var isStopped = false

  /// Nil where the library has no memory. The corresponding C function is
  /// `xmlCreatePushParserCtxt`.
  init?(_ listener: any XMLListener) {
    self.listener = listener
    unsafe context = nil
    XMLLibrary.prepare()
    var handlers = unsafe Self.handlers
    let me = unsafe Unmanaged.passUnretained(self).toOpaque()
    guard let made = unsafe xmlCreatePushParserCtxt(&handlers, me, nil, 0, nil) else { return nil }
    unsafe context = unsafe made
    let options =
      XML_PARSE_RECOVER.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
      | XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue
    unsafe xmlCtxtUseOptions(made, Int32(options))
  }

  deinit {
    unsafe xmlFreeDoc(context?.pointee.myDoc)
    unsafe xmlFreeParserCtxt(context)
  }

  /// Whether the document had an error, or was stopped.
  var isBroken: Bool { unsafe isStopped || context?.pointee.wellFormed == 0 }

  /// Takes a piece of the document in UTF-8; false when nothing more is wanted. The corresponding C
  /// function is `xmlParseChunk`.
  func push(_ utf8: [UInt8]) -> Bool {
    unsafe utf8.withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { text in
        _ = unsafe xmlParseChunk(context, text.baseAddress, Int32(clamping: text.count), 0)
      }
    }
    return unsafe !isStopped && context?.pointee.disableSAX == 0
  }

  func finish() {
    if !isStopped { unsafe xmlParseChunk(context, nil, 0, 1) }
  }

  private func start(_ name: XMLName, _ attributes: XMLAttributes) {
    guard !isStopped else { return }
    depth += 1
    listener.startElement(name, attributes)
    if depth >= Self.deepest || listener.isDone { stop() }
  }

  private func end(_ name: XMLName) {
    guard !isStopped else { return }
    depth -= 1
    listener.endElement(name)
    if listener.isDone { stop() }
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
    unsafe handlers.initialized = UInt32(XML_SAX2_MAGIC)
    unsafe handlers.startElementNs = { stream, local, prefix, space, _, _, count, _, list in
      guard let stream = unsafe XMLStream.from(stream), let local = unsafe local else { return }
      unsafe stream.start(
        XMLName(local, space ?? prefix), XMLAttributes(list, count: Int(count)))
    }
    unsafe handlers.endElementNs = { stream, local, prefix, space in
      guard let stream = unsafe XMLStream.from(stream), let local = unsafe local else { return }
      unsafe stream.end(XMLName(local, space ?? prefix))
    }
    let text: charactersSAXFunc = { stream, bytes, count in
      guard let stream = unsafe XMLStream.from(stream), let bytes = unsafe bytes else { return }
      unsafe stream.characters(bytes, count)
    }
    unsafe handlers.characters = unsafe text
    unsafe handlers.cdataBlock = unsafe text
    return unsafe handlers
  }

  @unsafe private static func from(_ pointer: UnsafeMutableRawPointer?) -> XMLStream? {
    unsafe pointer.map { unsafe Unmanaged<XMLStream>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension XMLName {
  @unsafe fileprivate init(_ local: UnsafePointer<UInt8>, _ space: UnsafePointer<UInt8>?) {
    unsafe self.init(
      space: space.map { unsafe String(cString: $0) } ?? "", local: String(cString: local))
  }
}

/// The attributes of one start tag, in the parser's memory: not to be kept beyond the call.
@safe
struct XMLAttributes {
  private let list: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  private let count: Int

  /// - Safety: `list` must be the parser's, five pointers for each attribute (libxml2 parser.h,
  ///   `startElementNsSAX2Func`): name, prefix, namespace, and where the value begins and ends.
  @unsafe init(_ list: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int) {
    unsafe self.list = list
    self.count = count
  }

  /// How libxml2 hands over an ampersand, however it was written, where it is not to replace entities
  /// (parser.c, `xmlParseAttValueComplex`). All other references are undone by then, and those to
  /// entities of the document's own, which are not kept, have gone.
  private static let ampersand = "&#38;"

  /// The value of an attribute, without white space around it; nil where it is missing or empty.
  /// One without a prefix has no namespace.
  func value(_ name: String, in space: String = "") -> String? {
    guard let list = unsafe list else { return nil }
    for index in 0..<count {
      let item = unsafe list.advanced(by: index * 5)
      guard let key = unsafe item[0], let start = unsafe item[3], let end = unsafe item[4],
        unsafe String(cString: key) == name,
        unsafe (item[2].map { unsafe String(cString: $0) } ?? "") == space
      else { continue }
      let bytes = unsafe UnsafeBufferPointer(start: start, count: end - start)
      let text = unsafe String(decoding: bytes, as: UTF8.self)
      let value = text.replacing(Self.ampersand, with: "&").trimmed
      return value.isEmpty ? nil : value
    }
    return nil
  }
}

extension XMLStream {
  /// What a reference means against a base (RFC 3986 §5.2); the reference itself where that is
  /// nothing. The corresponding C function is `xmlBuildURI`.
  static func resolve(_ reference: String, against base: String) -> String {
    guard !base.isEmpty, let built = unsafe xmlBuildURI(reference, base) else { return reference }
    defer { unsafe cxml_free(built) }
    return unsafe String(cString: built)
  }
}
