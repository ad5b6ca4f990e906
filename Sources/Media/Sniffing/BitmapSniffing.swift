extension MediaFormat {
  /// BMP or a Windows icon, whose signatures are short: the header after it must make sense too.
  static func bitmapFormat(_ bytes: Span<UInt8>) -> MediaFormat? {
    if isWindowsBitmap(bytes) { return .bmp }
    return isWindowsIcon(bytes) ? .ico : nil
  }

  /// `BM`, and a DIB header of a size that some version has (BITMAPCOREHEADER 12 … V5 124).
  private static func isWindowsBitmap(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.holds("BM", at: 0), let header = bytes.littleEndian(at: 14, bytes: 4) else {
      return false
    }
    return (12...64).contains(header) || header == 108 || header == 124
  }

  /// ICONDIR of type 1 (icon) or 2 (cursor) with at least one entry, whose data lies after the
  /// directory.
  private static func isWindowsIcon(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.littleEndian(at: 0, bytes: 2) == 0,
      let type = bytes.littleEndian(at: 2, bytes: 2), type == 1 || type == 2,
      let entries = bytes.littleEndian(at: 4, bytes: 2), entries > 0
    else { return false }
    guard let size = bytes.littleEndian(at: 14, bytes: 4),
      let offset = bytes.littleEndian(at: 18, bytes: 4)
    else { return true }
    return size > 0 && offset >= 6 + 16 * entries
  }
}
