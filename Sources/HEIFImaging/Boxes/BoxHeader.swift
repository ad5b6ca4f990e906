internal import Imaging

/// Where a box of the file lies (ISO/IEC 14496-12, 4.2).
struct BoxHeader {
  var type: FourCharacterCode
  /// Offsets of the content in the file.
  var content: Range<Int>
  /// Whether the file ends before the box does; `content` is cut there.
  var isCut: Bool

  /// The box that starts at `offset` and ends by `limit`; nil where fewer than eight bytes are left.
  static func read(
    _ file: InputFile, at offset: Int, before limit: Int
  ) throws(DecodeFailure) -> BoxHeader? {
    guard limit - offset >= 8 else { return nil }
    var fields = BoxContent("box ", try file.bytes(offset..<min(offset + 16, limit)))
    let length = fields.remaining
    var size = try fields.number(bytes: 4)
    let type = try fields.code()
    if size == 1 {
      guard length == 16 else { throw .truncated("the header of the \(type) box") }
      size = try fields.number(bytes: 8)
    }
    let start = offset + length - fields.remaining
    if size == 0 { size = limit - offset }
    let (end, overflow) = offset.addingReportingOverflow(size)
    guard !overflow, end >= start else { throw .corrupt("the \(type) box has no valid size") }
    return BoxHeader(type: type, content: start..<min(end, limit), isCut: end > limit)
  }
}
