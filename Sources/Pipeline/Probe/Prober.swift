package import Media
internal import Sandbox

/// Tells what media files are: the format from their first bytes, the rest by a decoder child.
package struct Prober: Sendable {
  let children: PictureChildren
  let rules: AttachmentRules
  let limits: DecodeLimits
  /// Whether every row is decoded, which tells truncation.
  let isDeep: Bool
  let byteLimit: Int

  /// Time for one file.
  static let timeLimit = Duration.seconds(60)

  package init(
    children: PictureChildren, rules: AttachmentRules, limits: DecodeLimits, isDeep: Bool,
    byteLimit: Int
  ) {
    self.children = children
    self.rules = rules
    self.limits = limits
    self.isDeep = isDeep
    self.byteLimit = byteLimit
  }

  /// What one file is, or why nothing can be told of any.
  package func probe(_ path: String) async throws(UnusableDecoders) -> ProbeReport {
    let input: LocalInput
    do throws(InputFailure) {
      input = try LocalInput.open(path, limit: byteLimit)
    } catch {
      return ProbeReport(
        path: path, byteCount: nil, format: .unknown, facts: nil, attachable: false,
        problems: [], unreadable: error)
    }
    return try await report(on: input, path: path)
  }

  private func report(
    on input: LocalInput, path: String
  ) async throws(UnusableDecoders) -> ProbeReport {
    var report = ProbeReport(
      path: path, byteCount: input.byteCount, format: input.format, facts: nil, attachable: false,
      problems: [])
    if PictureChildren.family(of: input.format) != nil {
      let reply = try await decode(input)
      report.facts = reply.facts
      report.media = reply.media
      if let told = reply.media?.format ?? reply.facts?.format { report.format = told }
      report.problems = reply.problems
    }
    report.problems += rules.objections(
      format: report.format, bytes: input.byteCount, codecs: report.codecs)
    report.attachable = report.isAttachable(by: rules)
    report.warnOfMemory()
    return report
  }

  private func decode(_ input: LocalInput) async throws(UnusableDecoders) -> RenderReply {
    let request = RenderRequest(operation: isDeep ? .probeDeep : .probe, limits: limits)
    do throws(ChildFailure) {
      return try await children.run(request, on: input, deadline: .after(Self.timeLimit)).reply
    } catch .unavailable(let reason) {
      throw UnusableDecoders(reason: reason)
    } catch {
      return RenderReply(problems: [error.problem])
    }
  }
}

extension ProbeReport {
  /// An attachable file is of an admitted format, within its size, and whole as far as was read.
  func isAttachable(by rules: AttachmentRules) -> Bool {
    guard let byteCount, let kind = format.kind else { return false }
    return rules.admits(format, codecs: codecs) && byteCount <= rules.maxBytes(kind)
      && !problems.contains { $0.severity == .error }
  }

  /// Adds the warning that the contract wants over 24 MB; the verdict stays.
  mutating func warnOfMemory() {
    if let warning = Problem.memory(decodedBytes, of: nil) { problems.append(warning) }
  }
}

extension Problem {
  /// What an extension may hold of decoded pixels (bytes) before the phone ends it.
  private static let playerMemory = 24_000_000

  /// The warning that a file takes more than this; nil where it does not.
  static func memory(_ decodedBytes: Int?, of file: String?) -> Problem? {
    guard let decodedBytes, decodedBytes > playerMemory else { return nil }
    return Problem(
      .decode, .tooManyPixels,
      (file.map { "\($0): " } ?? "")
        + "\(decodedBytes) bytes decoded, a notification extension has \(playerMemory)",
      severity: .warning)
  }
}
