internal import Download
internal import Media
internal import SharedCache

/// What becomes of one item: by the stages that jobs go through.
struct WarmWork: Sendable {
  enum Outcome: Sendable {
    case picture(Manifest.Source.CacheUse)
    case document(WarmDocument, DocumentStage.Use)
    case failed(Problem)
  }

  let cache: SharedCache
  let blocking: BlockingCalls
  let attach: AttachStage
  let documents: DocumentStage
  let profiles: [RenditionProfile]

  /// `isDone` says that an interrupted run has read the document already.
  func run(_ item: WarmItem, isDone: Bool, deadline: Deadline) async -> Outcome {
    switch item.work {
    case .picture: return await picture(item.url, deadline)
    case .choice(let choice): return await first(of: choice, deadline)
    case .refresh: return await refresh(item.url, deadline)
    case .media(let own): return await media(item.url, own ?? profiles, deadline)
    case .page, .listing: return await document(item, isDone, deadline)
    case .source:
      guard !isDone, await isLikelyPicture(item.url) else {
        return await document(item, isDone, deadline)
      }
      let outcome = await picture(item.url, deadline)
      if case .failed(let problem) = outcome, problem.code == .notMedia {
        return await document(item, isDone, deadline)
      }
      return outcome
    }
  }

  private func document(_ item: WarmItem, _ isDone: Bool, _ deadline: Deadline) async -> Outcome {
    do throws(Problem) {
      switch try await documents.run(item, isDone: isDone, deadline: deadline) {
      case .document(let document, let use):
        return cache.takeRefused() > 0 ? .failed(.noRoom) : .document(document, use)
      case .picture: return await picture(item.url, deadline)
      }
    } catch {
      return .failed(error)
    }
  }

  private func picture(_ url: String, _ deadline: Deadline) async -> Outcome {
    guard let address = WebAddress(url) else { return .failed(Self.unsupported(url)) }
    let candidate = PictureCandidate(address: .web(address), rung: .full)
    return await attach(candidate, profiles, deadline)
  }

  private func media(
    _ url: String, _ profiles: [RenditionProfile], _ deadline: Deadline
  ) async -> Outcome {
    guard let address = WebAddress(url) else { return .failed(Self.unsupported(url)) }
    let stage = MediaStage(
      fetch: attach.fetch.fetching(.media), render: attach.render, rules: attach.rules)
    do throws(Problem) {
      let attachment = try await stage.run(address, profiles: profiles, deadline: deadline)
      return .picture(attachment.source.cache ?? .miss)
    } catch {
      return .failed(error)
    }
  }

  private func first(of choice: PictureChoice, _ deadline: Deadline) async -> Outcome {
    guard let candidate = choice.candidates.first else {
      return .failed(Problem(.download, .noPicture, "no candidate is left"))
    }
    return await attach(candidate, choice.profiles ?? profiles, deadline)
  }

  private func attach(
    _ candidate: PictureCandidate, _ profiles: [RenditionProfile], _ deadline: Deadline
  ) async -> Outcome {
    let result = await attach.run([candidate], profiles: profiles, deadline: deadline)
    if cache.takeRefused() > 0 { return .failed(.noRoom) }
    if let full = result.problems.first(where: { $0.code == .diskFull }) { return .failed(full) }
    if let picture = result.picture {
      let use = picture.attachment.source.cache ?? .miss
      // A stale copy stands in for one that could not be had: that is the failure to tell of.
      guard use == .stale, let problem = result.problems.first else { return .picture(use) }
      return .failed(problem)
    }
    return .failed(
      result.problems.last ?? Problem(.download, .noPicture, "\(candidate.shown) gave none"))
  }

  /// Only what has changed is rendered anew: of what has not, the cache knows the renditions that
  /// were asked for.
  private func refresh(_ url: String, _ deadline: Deadline) async -> Outcome {
    guard let address = WebAddress(url) else { return .failed(Self.unsupported(url)) }
    do throws(Problem) {
      let fetched = try await attach.fetch.run(
        address, deadline: deadline, needs: attach.needs(of: profiles))
      if fetched.cacheUse == .stale, let problem = fetched.problems.first { throw problem }
      // What cannot be kept is fetched in vain.
      if let full = fetched.problems.first(where: { $0.code == .diskFull }) { throw full }
      guard fetched.cacheUse == .miss else { return .picture(fetched.cacheUse) }
      do throws(RenderFault) {
        _ = try await attach.render.run(fetched, profiles: profiles, deadline: deadline)
        if cache.takeRefused() > 0 { throw RenderFault.problem(.noRoom) }
      } catch {
        if case .problem(let problem) = error { throw problem }
      }
      return .picture(.miss)
    } catch {
      return .failed(error)
    }
  }

  /// Whether an address is first asked for as a picture, or as sound or film with one: which way is
  /// tried first costs a request at most, the bytes decide.
  private func isLikelyPicture(_ url: String) async -> Bool {
    let path = url.prefix { $0 != "?" }
    if let dot = path.lastIndex(of: "."),
      Self.extensions.contains(path[path.index(after: dot)...].lowercased())
    {
      return true
    }
    let key = SourceKey(url: url, variant: attach.fetch.subject.accept)
    return await blocking.run { [cache] in
      cache.lookUp(key).map { PictureChildren.family(of: $0.format) != nil }
        ?? (cache.lookUp(key.beginning) != nil)
    }
  }

  private static let extensions = Set(
    MediaFormat.allCases.filter { PictureChildren.family(of: $0) != nil }
      .flatMap(\.fileExtensions))

  private static func unsupported(_ url: String) -> Problem {
    Problem(.download, .unsupportedURL, "no address that may be fetched: \(url.prefix(120))")
  }
}

extension Problem {
  fileprivate static let noRoom = Problem(
    .store, .diskFull, "the cache has no room left: --cache-size or --min-free is reached")
}
