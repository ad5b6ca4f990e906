internal import Download
internal import Files
internal import Media

extension FetchedPicture {
  /// The picture inside a `data:` URL (RFC 2397).
  init(dataURL text: String, limit: Int) throws(Problem) {
    let data: DataURL
    do throws(DataURL.Failure) {
      data = try DataURL(text, limit: limit)
    } catch {
      throw error.problem
    }
    do throws(SystemCallFailure) {
      try self.init(holding: data.bytes, url: "data:", finalURL: nil, cacheUse: .miss)
    } catch {
      throw Problem(.download, .decoderMemory, "the data: URL could not be held: \(error)")
    }
    if let refusal = PictureSniffer.refusal(of: format) { throw refusal }
  }
}

extension DataURL.Failure {
  fileprivate var problem: Problem {
    switch self {
    case .notDataURL, .malformed:
      Problem(.download, .unsupportedURL, "the data: URL cannot be read")
    case .tooLarge(let limit):
      Problem(
        .download, .downloadTooLarge,
        "the data: URL holds more than \(ByteCount.text(limit)), the limit")
    }
  }
}
