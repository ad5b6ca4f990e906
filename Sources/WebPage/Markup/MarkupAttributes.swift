internal import Glibc

/// The attributes of one start tag, in the parser's memory: not to be kept beyond the call.
@safe
struct MarkupAttributes {
  private let list: UnsafeMutablePointer<UnsafePointer<UInt8>?>?

  /// - Safety: `list` must be the parser's, of names and values in turn, ended by a null.
  @unsafe init(_ list: UnsafeMutablePointer<UnsafePointer<UInt8>?>?) {
    unsafe self.list = list
  }

  /// The value of the first attribute of this name (lower case), without white space around it and
  /// with entities decoded; nil where it is missing or empty.
  subscript(name: StaticString) -> String? {
    guard var item = unsafe list else { return nil }
    while let key = unsafe item.pointee {
      // Both end in a zero.
      if unsafe strncmp(key.text, name.utf8Start.text, name.utf8CodeUnitCount + 1) == 0 {
        guard let value = unsafe item[1] else { return nil }
        let text = unsafe String(cString: value).trimmed
        return text.isEmpty ? nil : text
      }
      unsafe item = item.advanced(by: 2)
    }
    return nil
  }
}

extension UnsafePointer<UInt8> {
  fileprivate var text: UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(self).assumingMemoryBound(to: CChar.self)
  }
}

extension String {
  /// Without white space and control characters at both ends.
  var trimmed: String {
    let isPlain = { (byte: UInt8?) in byte.map { (0x21...0x7E).contains($0) } ?? false }
    if isPlain(utf8.first), isPlain(utf8.last) { return self }
    let isPadding = { (scalar: Unicode.Scalar) in
      scalar.properties.isWhitespace || scalar.value < 0x20
    }
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !isPadding($0) }),
      let last = scalars.lastIndex(where: { !isPadding($0) })
    else { return "" }
    return String(self[first..<scalars.index(after: last)])
  }
}
