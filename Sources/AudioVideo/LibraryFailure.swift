internal import CAV
internal import Imaging

extension DecodeFailure {
  /// What an error code of the libraries means for the file.
  init(libav code: Int32, _ action: String) {
    switch code {
    case cav_out_of_memory: self = .outOfMemory
    case cav_end_of_file: self = .truncated(action)
    case cav_no_decoder, cav_no_demuxer, cav_not_implemented:
      self = .unsupported("\(action): \(Self.text(code))")
    default: self = .corrupt("\(action): \(Self.text(code))")
    }
  }

  /// The corresponding C function is `av_strerror`.
  private static func text(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    unsafe av_strerror(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Throws where a call of the libraries failed.
  @discardableResult
  static func check(_ code: Int32, _ action: String) throws(DecodeFailure) -> Int32 {
    guard code >= 0 else { throw DecodeFailure(libav: code, action) }
    return code
  }
}
