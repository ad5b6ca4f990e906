internal import Download
internal import Files
package import Media
internal import SharedCache

/// One thing that was looked at, and whether it works here.
package struct DoctorFinding: Sendable, Hashable {
  package enum State: String, Sendable, Hashable {
    case ok
    /// Works, but not as well as it might.
    case warning
    /// Keeps the product from working: exit 3.
    case failed
  }

  package var subject: String
  package var state: State
  package var detail: String

  /// The object that `doctor --json` prints.
  package var json: JSONValue {
    [
      "subject": .string(subject), "state": .string(state.rawValue), "detail": .string(detail),
    ]
  }
}

/// Finds out what works on this machine: libraries, codecs, sandbox layers, directories.
package struct Doctor: Sendable {
  private let decoders: DecoderOptions

  package init(decoders: DecoderOptions) {
    self.decoders = decoders
  }

  /// Looks at everything; directories only where they are named.
  package func findings(jobs: String?, cache: String?) async -> [DoctorFinding] {
    var findings = [DoctorFinding(subject: "version", state: .ok, detail: wirephotoVersion)]
    findings += LibraryVersions.findings
    findings += await lookAtDecoders()
    if let jobs { findings += lookAtJobs(jobs) }
    if let cache { findings += lookAtCache(cache) }
    if let jobs, let cache,
      let link = DirectoryProbe.linkFinding(from: cache, to: "\(jobs)/outbox")
    {
      findings.append(link)
    }
    return findings
  }

  private func lookAtDecoders() async -> [DoctorFinding] {
    do throws(UnusableDecoders) {
      let children = try PictureChildren.opening(decoders)
      let confinement = try await children.confinement()
      let sandbox = DoctorFinding(
        subject: "sandbox", state: confinement.isSufficient ? .ok : .warning,
        detail: confinement.description)
      return [sandbox] + (await lookAtCodecs(children))
    } catch {
      return [DoctorFinding(subject: "sandbox", state: .failed, detail: error.reason)]
    }
  }

  private func lookAtCodecs(_ children: PictureChildren) async -> [DoctorFinding] {
    var findings: [DoctorFinding] = []
    for sample in CodecSamples.all {
      findings.append(
        await CodecCheck(format: sample.format, base64: sample.base64).finding(by: children))
    }
    findings.append(await PageCheck.finding(by: children))
    return findings
  }

  private func lookAtJobs(_ path: String) -> [DoctorFinding] {
    do throws(SystemCallFailure) {
      guard try Directory(opening: path).status(of: "incoming") != nil else {
        return [.notMade("jobs", path)]
      }
      _ = try JobDirectory.open(path)
      return DirectoryProbe.findings(subject: "jobs", path: path)
    } catch {
      return [DoctorFinding(subject: "jobs", state: .failed, detail: "\(error)")]
    }
  }

  private func lookAtCache(_ path: String) -> [DoctorFinding] {
    guard let folder = try? Directory(opening: path), (try? folder.status(of: "objects")) != nil
    else { return [.notMade("cache", path)] }
    do throws(CacheFailure) {
      _ = try SharedCache.open(directory: path)
      return DirectoryProbe.findings(subject: "cache", path: path)
    } catch {
      return [DoctorFinding(subject: "cache", state: .failed, detail: "\(error)")]
    }
  }
}

extension DoctorFinding {
  /// A directory without its layout: looking must not make it.
  fileprivate static func notMade(_ subject: String, _ path: String) -> DoctorFinding {
    DoctorFinding(subject: subject, state: .warning, detail: "\(path): not made yet; a worker does")
  }
}
