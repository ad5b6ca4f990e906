internal import Download
internal import Media
internal import SharedCache

extension FetchStage {
  /// What an address is asked for.
  enum Subject: Sendable, Hashable {
    case picture
    /// Sound and film.
    case media
    case page
  }

  /// The request, but for its conditions.
  func request(_ address: WebAddress, deadline: Deadline) -> DownloadRequest {
    let isPage = subject == .page
    return DownloadRequest(
      address, accept: subject.accept, byteLimit: isPage ? PageStage.byteLimit : byteLimit,
      overflow: isPage ? .cut : .refuse, deadline: deadline, allowsCompression: isPage,
      retries: pauses == nil ? 1 : 0
    ) { [subject, notesFormat] prefix, contentType in
      notesFormat?(MediaFormat.sniff(prefix))
      return subject.judge(prefix, contentType)
    }
  }
}

extension FetchStage.Subject {
  /// The Accept field; what we decode best comes first.
  var accept: String {
    switch self {
    case .picture:
      "image/jpeg,image/png,image/webp,image/gif,image/avif,image/heic;q=0.9,*/*;q=0.1"
    case .media: "video/mp4,video/*,audio/mpeg,audio/mp4,audio/*;q=0.9,*/*;q=0.1"
    case .page: AcceptField.page
    }
  }

  func judge(_ prefix: [UInt8], _ contentType: String?) -> Problem? {
    switch self {
    case .picture: PictureSniffer.judge(prefix, contentType: contentType)
    case .media: MediaSniffer.judge(prefix, contentType: contentType)
    case .page: PageSniffer.judge(MediaFormat.sniff(prefix), contentType: contentType)
    }
  }

  /// Why a copy that came as something else is of no use. Who asks for a page may get what pictures
  /// are made from: it is the picture that he looks for.
  func refusal(of record: SourceRecord) -> Problem? {
    switch self {
    case .picture: PictureSniffer.refusal(of: record.format)
    case .media: MediaSniffer.refusal(of: record.format)
    case .page where PictureChildren.family(of: record.format) != nil: nil
    case .page: PageSniffer.judge(record.format, contentType: record.contentType)
    }
  }

  /// Whether a failure is kept: a page's reader wants to see the picture that came in its place, and
  /// what there was no time for is no fault of the address.
  func remembers(_ failure: DownloadFailure) -> Bool {
    if case .refused(let problem) = failure {
      return self != .page && problem.code != .deadlineExceeded
    }
    return true
  }
}

extension DownloadFailure {
  /// Whether the address might have given something else its due: what is no film may be a picture,
  /// and a page is cut where a picture is too large.
  var dependsOnSubject: Bool {
    switch self {
    case .refused, .downloadTooLarge, .tooManyCodings, .httpStatus(406, _): true
    default: false
    }
  }
}

extension Problem {
  /// The same, of an address.
  func about(_ key: SourceKey) -> Problem {
    var problem = self
    problem.url = WebAddress(key.url)?.redacted
    return problem
  }
}
