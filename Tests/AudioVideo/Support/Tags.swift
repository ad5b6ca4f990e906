/// Tags as their specifications lay them out, each with words that must not be sent.
enum Tags {
  static let secrets = ["Geheim", "+52.5200+013.4050"]
  private static let text = Array("Geheim +52.5200+013.4050 niemand".utf8)

  private static func sevenBits(_ count: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) }
  }

  private static func bigEndian(_ count: Int, bytes: Int = 4) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
  }

  private static func littleEndian(_ count: Int) -> [UInt8] { bigEndian(count).reversed() }

  /// ID3v2.2, 2.3 or 2.4 with a comment, a private frame, an object and padding.
  static func id3(_ version: UInt8, flags: UInt8 = 0) -> [UInt8] {
    var frames: [UInt8] = []
    let names = version == 2 ? ["COM", "GEO"] : ["COMM", "PRIV", "GEOB"]
    for name in names {
      let contents = [0] + Array("eng".utf8) + [0] + text
      frames += Array(name.utf8)
      switch version {
      case 2: frames += bigEndian(contents.count, bytes: 3)
      case 3: frames += bigEndian(contents.count) + [0, 0]
      default: frames += sevenBits(contents.count) + [0, 0]
      }
      frames += contents
    }
    if flags & 0x10 == 0 { frames += [UInt8](repeating: 0, count: 100) }
    let header = Array("ID3".utf8) + [version, 0, flags] + sevenBits(frames.count)
    let footer = flags & 0x10 == 0 ? [] : Array("3DI".utf8) + header.dropFirst(3)
    return header + frames + footer
  }

  /// ID3v2 with a front cover; unsynchronised as the version has it (id3v2.4.0-structure §6.1).
  static func id3(_ version: UInt8, cover: [UInt8], isUnsynchronised: Bool) -> [UInt8] {
    var frame = pictureFrame(version, cover, isUnsynchronised: isUnsynchronised)
    if isUnsynchronised, version < 4 { frame = unsynchronised(frame) }
    let flags: UInt8 = isUnsynchronised ? 0x80 : 0
    return Array("ID3".utf8) + [version, 0, flags] + sevenBits(frame.count) + frame
  }

  /// ID3v2 with several pictures.
  static func id3(_ version: UInt8, covers: [[UInt8]]) -> [UInt8] {
    let frames = covers.flatMap { pictureFrame(version, $0, isUnsynchronised: false) }
    return Array("ID3".utf8) + [version, 0, 0] + sevenBits(frames.count) + frames
  }

  private static func pictureFrame(
    _ version: UInt8, _ picture: [UInt8], isUnsynchronised: Bool
  ) -> [UInt8] {
    let isJPEG = picture.first == 0xFF
    let kind = version == 2 ? (isJPEG ? "JPG" : "PNG") : (isJPEG ? "image/jpeg\0" : "image/png\0")
    let contents = [0] + Array(kind.utf8) + [3, 0] + picture
    let safe = isUnsynchronised ? unsynchronised(contents) : contents
    let name = Array((version == 2 ? "PIC" : "APIC").utf8)
    return switch (version, isUnsynchronised) {
    case (2, _): name + bigEndian(contents.count, bytes: 3) + contents
    case (3, _): name + bigEndian(contents.count) + [0, 0] + contents
    case (_, false): name + sevenBits(contents.count) + [0, 0] + contents
    // Data length indicator and unsynchronisation in the frame's flags.
    case (_, true):
      name + sevenBits(safe.count + 4) + [0, 3] + sevenBits(contents.count) + safe
    }
  }

  /// A zero after each 0xFF that a sync word or a zero would follow.
  private static func unsynchronised(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      result.append(byte)
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      if byte == 0xFF, next >= 0xE0 || next == 0 { result.append(0) }
    }
    return result
  }

  /// ID3v1.1.
  static var id3v1: [UInt8] {
    let fields = Array("TAG".utf8) + text
    return fields + [UInt8](repeating: 0, count: 128 - fields.count)
  }

  /// ID3v1 with the 227 bytes of its enhancement.
  static var enhanced: [UInt8] {
    let fields = Array("TAG+".utf8) + text
    return fields + [UInt8](repeating: 0, count: 227 - fields.count) + id3v1
  }

  /// APEv2 with header and footer.
  static var ape: [UInt8] {
    let item = littleEndian(text.count) + littleEndian(0) + Array("Comment".utf8) + [0] + text
    func end(_ flags: Int) -> [UInt8] {
      Array("APETAGEX".utf8) + littleEndian(2000) + littleEndian(item.count + 32)
        + littleEndian(1) + littleEndian(flags) + [UInt8](repeating: 0, count: 8)
    }
    return end(0xA000_0000) + item + end(0x8000_0000)
  }

  /// Lyrics3 v2.00.
  static var lyrics: [UInt8] {
    let count = "\(text.count)"
    let field =
      Array("INF".utf8) + Array((String(repeating: "0", count: 5 - count.count) + count).utf8)
    let body = Array("LYRICSBEGIN".utf8) + field + text
    let size = "\(body.count)"
    return body + Array((String(repeating: "0", count: 6 - size.count) + size).utf8)
      + Array("LYRICS200".utf8)
  }

  /// A chunk of a RIFF or IFF file.
  static func chunk(_ name: String, _ contents: [UInt8] = text, isBigEndian: Bool) -> [UInt8] {
    Array(name.utf8) + (isBigEndian ? bigEndian(contents.count) : littleEndian(contents.count))
      + contents + (contents.count % 2 == 0 ? [] : [0])
  }

  /// A list of a RIFF file that holds one text.
  static var information: [UInt8] {
    chunk("LIST", Array("INFO".utf8) + chunk("ICMT", isBigEndian: false), isBigEndian: false)
  }

  /// The file with chunks put in before its first and behind its last, its size as it then is.
  static func adding(
    _ first: [UInt8], _ last: [UInt8], to file: [UInt8], isBigEndian: Bool
  ) -> [UInt8] {
    let contents = Array(file[8..<12]) + first + file[12...] + last
    let size = isBigEndian ? bigEndian(contents.count) : littleEndian(contents.count)
    return Array(file[..<4]) + size + contents
  }
}
