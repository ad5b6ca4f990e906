internal import Download
internal import Media
internal import SharedCache

extension WarmDocument {
  /// What a document leads to.
  struct Contents: Sendable {
    var items: [WarmItem] = []
    var problems: [Problem] = []
  }

  /// Lists inside lists beyond which nothing is followed.
  static let deepest: UInt8 = 3

  /// The items that the document names. `depth` is the document's own.
  func contents(depth: UInt8, settings: Settings) -> Contents {
    switch form {
    case .page: pageContents(depth)
    case .listing: listingContents(depth)
    case .addresses: addressContents(depth)
    case .payload: payloadContents(depth, settings)
    }
  }

  private func pageContents(_ depth: UInt8) -> Contents {
    let candidates = lines.compactMap { line -> PictureCandidate? in
      guard let address = WebAddress(String(decoding: line.dropFirst(), as: UTF8.self)) else {
        return nil
      }
      return line.first == Self.iconMark
        ? PictureCandidate(address: .web(address), rung: .icon)
        : PictureCandidate(
          address: .web(address), rung: .full, minimumSize: PageContents.leastSize)
    }
    return Contents(
      items: [WarmItem(PictureChoice(candidates), depth: depth)].compactMap { $0 })
  }

  private func listingContents(_ depth: UInt8) -> Contents {
    var contents = Contents()
    let base = WebAddress(finalURL)
    for line in lines {
      guard let entry = ListingEntry(line: line) else { continue }
      let address = base?.resolve(entry.reference) ?? WebAddress(entry.reference)
      guard let address else {
        contents.refuse(entry.reference)
        continue
      }
      let url = address.description
      switch entry.kind {
      case .picture: contents.items.append(WarmItem(url: url, work: .picture, depth: depth))
      case .page: contents.items.append(WarmItem(url: url, work: .page, depth: depth))
      case .listing:
        guard depth < Self.deepest else { continue }
        contents.items.append(WarmItem(url: url, work: .listing, depth: depth + 1))
      }
    }
    return contents
  }

  private func addressContents(_ depth: UInt8) -> Contents {
    var contents = Contents()
    guard depth < Self.deepest else { return contents }
    for line in AddressLines(body) {
      guard let address = WebAddress(line.text) else {
        contents.refuse(line.text, at: "line \(line.number): ")
        continue
      }
      contents.items.append(
        WarmItem(url: address.description, work: .source, depth: depth + 1))
    }
    return contents
  }

  private func payloadContents(_ depth: UInt8, _ settings: Settings) -> Contents {
    let payload: Payload
    do throws(Problem) {
      payload = try Payload.read(body)
    } catch {
      return Contents(problems: [error])
    }
    let (candidates, problems) = ResolveStage().run(payload)
    let profiles = payload.profiles.compactMap { settings.profile(named: $0) }
    let ownProfiles = profiles.isEmpty ? nil : profiles
    let page = payload.pageAddress.flatMap { WebAddress($0) }
    let hasOnlyMedia = candidates.isEmpty && !payload.media.isEmpty
    let choice = PictureChoice(
      candidates, page: hasOnlyMedia ? nil : page?.description, profiles: ownProfiles)
    var contents = Contents(
      items: [WarmItem(choice, depth: depth)].compactMap { $0 }, problems: problems)
    let room = AttachmentRules.maxAttachments - (candidates.isEmpty ? 0 : 1)
    for text in payload.media.prefix(room) {
      guard case .web(let address) = ResolveStage.address(text, page: page) else {
        contents.refuse(text)
        continue
      }
      contents.items.append(
        WarmItem(url: address.description, work: .media(ownProfiles), depth: depth))
    }
    return contents
  }

  private var lines: [ArraySlice<UInt8>] { body.split(separator: 0x0A) }

  static let pictureMark = UInt8(ascii: "c")
  static let iconMark = UInt8(ascii: "i")
}

extension WarmDocument.Contents {
  fileprivate mutating func refuse(_ reference: String, at place: String = "") {
    guard problems.count < 1000 else { return }
    problems.append(
      Problem(
        .download, .unsupportedURL,
        place + PayloadAddress.refusal(of: reference)
      ))
  }
}

extension PageContents {
  /// The candidates, a line each.
  var warmBody: [UInt8] {
    candidates.flatMap { candidate -> [UInt8] in
      guard case .web(let address) = candidate.address else { return [] }
      let mark = candidate.rung == .icon ? WarmDocument.iconMark : WarmDocument.pictureMark
      return [mark] + Array(address.description.utf8) + [0x0A]
    }
  }
}
