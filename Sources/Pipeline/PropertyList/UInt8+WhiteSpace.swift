extension UInt8 {
  /// Space, tab, line feed, carriage return.
  var isWhiteSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
