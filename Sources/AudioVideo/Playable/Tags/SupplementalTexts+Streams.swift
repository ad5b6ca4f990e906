internal import CAV

extension SupplementalTexts {
  /// Nil for streams other than H.264 and HEVC.
  @unsafe init?(of parameters: UnsafeMutablePointer<AVCodecParameters>) {
    let codec = unsafe parameters.pointee.codec_id
    guard codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC else { return nil }
    let count = unsafe max(0, Int(parameters.pointee.extradata_size))
    let configuration = unsafe UnsafeBufferPointer(
      start: parameters.pointee.extradata, count: count)
    unsafe self.init(isHEVC: codec == AV_CODEC_ID_HEVC, configuration: configuration.span)
  }

  /// Overwrites the texts in a stream's decoder configuration.
  @unsafe func clean(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
    let count = unsafe max(0, Int(parameters.pointee.extradata_size))
    let places = unsafe places(
      inConfiguration: UnsafeBufferPointer(start: parameters.pointee.extradata, count: count).span)
    for place in places where place < count {
      unsafe parameters.pointee.extradata[place] = Self.filler
    }
  }
}
