internal import Files
internal import Media
internal import Sandbox

extension PictureChildren {
  /// Runs `body` when its turn comes, and takes in what it took. It is not begun where by its estimate
  /// it would end too late, or others would. `isWhole` says of a result whether all was done that the
  /// estimate is about. `comparison` is what is spent on top of it where nobody else wants the time:
  /// it is bounded, and tells nothing of the subject.
  func scheduled<Value>(
    _ subject: DecodeSubject, comparison: Duration? = nil, by deadline: Deadline,
    isWhole: (Value) -> Bool = { _ in true },
    _ body: () async throws(ChildFailure) -> Value
  ) async throws(ChildFailure) -> Value {
    let estimate = meter.estimate(of: subject).lengthened(by: comparison ?? .zero)
    let role: DecodeSchedule.Role =
      comparison != nil ? .betterStandIn : subject.coding == .thumbnail ? .standIn : .picture
    let result: Result<Value, ChildFailure>? = await slots.run(by: deadline, estimate, role: role) {
      let started = ContinuousClock.now
      do throws(ChildFailure) {
        let value = try await body()
        if comparison == nil, isWhole(value) {
          meter.note(started.duration(to: .now), for: subject)
        }
        return .success(value)
      } catch {
        if comparison == nil, error == .timedOut {
          meter.note(started.duration(to: .now), for: subject, isAtLeast: true)
        }
        return .failure(error)
      }
    }
    guard let result else { throw refusal(of: subject, estimate, by: deadline) }
    return try result.get()
  }

  /// What comparing the thumbnail in a picture with the picture may take: a share of what is left, and
  /// no more than as much of the picture takes as tells all of it. Nil where no part of it can be had
  /// sooner than the whole.
  func comparisonTime(
    _ request: RenderRequest, on input: LocalInput, by deadline: Deadline
  ) -> Duration? {
    var whole = request
    whole.embedded = .never
    guard let share = input.outline?.shareToCompare(input.format),
      [.heic, .avif].contains(input.format) || request.fits(Self.largestExifThumbnail)
    else { return nil }
    let usual = meter.estimate(of: DecodeSubject(whole, on: input)).usual
    return min(usual * share, deadline.remaining / Self.comparisonShare)
  }

  /// Pixels a side: an Exif block has 64 kB.
  private static let largestExifThumbnail = 1024

  /// A comparison takes one part of so many of what is left.
  static let comparisonShare = 3

  /// Why a decode that came now would not be begun; nil where it would.
  func foreseenRefusal(of subject: DecodeSubject, by deadline: Deadline) -> ChildFailure? {
    let estimate = meter.estimate(of: subject)
    guard slots.wouldRefuse(estimate, by: deadline) else { return nil }
    return refusal(of: subject, estimate, by: deadline)
  }

  /// Why a decode that was not begun was not.
  func refusal(of subject: DecodeSubject, by deadline: Deadline) -> ChildFailure {
    refusal(of: subject, meter.estimate(of: subject), by: deadline)
  }

  private func refusal(
    of subject: DecodeSubject, _ estimate: DecodeEstimate, by deadline: Deadline
  ) -> ChildFailure {
    meter.noteRefusal(of: subject)
    return .notStarted(
      "it takes about \(estimate.usual.wholeMilliseconds) ms,"
        + " \(deadline.remaining.wholeMilliseconds) ms are left and others go before")
  }
}

extension RenderRequest {
  /// Whether no side of what is wanted is longer.
  fileprivate func fits(_ side: Int) -> Bool {
    renditions.allSatisfy { max($0.box.width, $0.box.height) <= side }
  }
}

extension PictureOutline {
  /// The share of a decode's time in which enough of the picture comes to compare a thumbnail with it,
  /// with some to spare: half of the rows, a quarter of the tiles, the first scans, or a JPEG at an
  /// eighth of its size. Nil where all comes at once.
  fileprivate func shareToCompare(_ format: MediaFormat) -> Double? {
    switch format {
    case .jpeg: isInterlaced ? 0.7 : 0.6
    case .png: isInterlaced ? nil : 0.6
    case .webp: 0.7
    case .heic, .avif: isTiled ? 0.4 : nil
    default: nil
    }
  }
}
