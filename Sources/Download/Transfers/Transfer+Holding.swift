internal import Files
internal import Media

extension Transfer {
  /// Shows the body as far as it has come to who may hold it, until he has seen enough.
  func judgeOpening(_ bytes: RawSpan) -> Bool {
    guard let judge = request.judge, !isJudged else { return true }
    unsafe bytes.withUnsafeBytes {
      unsafe opening.append(contentsOf: $0.prefix(DownloadRequest.openingLength - opening.count))
    }
    let offered = held.hold(exchange.address.host)
    let declared = headers["content-encoding"] == nil ? declaredLength : nil
    let verdict = judge(opening, declared, offered)
    isJudged = verdict != .undecided || opening.count >= DownloadRequest.openingLength
    if isJudged { opening = [] }
    switch verdict {
    case .undecided, .goOn: return true
    case .stop(let problem): return stop(.refused(problem))
    case .hold:
      guard let offered else { return true }
      hold = offered
      heldSince = .now
      held.note(exchange.address.host, isHeld: true)
      easy.pause()
      return true
    }
  }

  /// Acts on the end of a hold; tells whether the transfer is over.
  func endHoldWhereDecided() -> Bool {
    guard let verdict = hold?.ending else { return false }
    releaseHold()
    if case .stop(let problem) = verdict {
      _ = stop(.refused(problem))
      return true
    }
    // May deliver bytes at once, and so find a reason to stop.
    easy.resume()
    return failure != nil
  }

  /// The transfer is held no more, or is no more.
  func releaseHold() {
    guard hold != nil else { return }
    hold = nil
    heldTime += heldSince.duration(to: .now)
    held.note(exchange.address.host, isHeld: false)
  }
}
