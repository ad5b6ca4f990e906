internal import Download
internal import Files
internal import Media
internal import SharedCache

/// What the operator named: an address, or a file of some form; its bytes tell which.
enum WarmSource: Sendable {
  case web(WebAddress)
  case file(path: String, LocalInput)
  case unusable(Problem)
  /// A file that cannot be opened: the command line is at fault, not a source.
  case unreadable(String)

  /// Reads an operand; `-` is standard input.
  init(_ operand: String) {
    let scheme = PayloadAddress.scheme(of: operand)
    if scheme == "http" || scheme == "https" {
      guard let address = WebAddress(operand) else {
        let problem = Problem(
          .download, .unsupportedURL,
          PayloadAddress.refusal(of: operand))
        self = .unusable(problem)
        return
      }
      self = .web(address)
      return
    }
    do throws(InputFailure) {
      self = .file(path: operand, try LocalInput.open(operand, limit: Listing.mostBytes))
    } catch {
      self = .unreadable("\(FileName.shown(operand)): \(error)")
    }
  }

  /// What an interrupted run is recognised by: addresses and names, of standard input the content.
  var identity: String {
    switch self {
    case .web(let address): return address.description
    case .file("-", let input):
      let bytes = try? input.descriptor.read(at: 0, count: input.byteCount)
      return "- \(ContentHash.of(bytes ?? [])?.hex ?? "")"
    case .file(let path, _): return "file \(path)"
    case .unusable, .unreadable: return ""
    }
  }
}
