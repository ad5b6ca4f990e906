internal import Files
internal import Media
internal import SharedCache

/// What is shown for a picture that cannot be had (`--placeholder`). Its renditions are kept like any
/// other's: a job that needs them has no time for a decode.
package struct Placeholder: Sendable {
  typealias Attached = (attachment: Manifest.Attachment, contents: [RenderedPicture.Content])

  private let render: RenderStage
  private let picture: FetchedPicture
  /// What jobs usually want, made ahead.
  private let usual: (profiles: [RenditionProfile], attached: Attached)

  /// The longest that its first decode may take.
  private static let patience = Duration.seconds(30)

  /// Reads the file and makes what jobs usually want of it. Throws where no picture comes of it.
  static func open(
    _ path: String, limit: Int, profiles: [RenditionProfile], render: RenderStage
  ) async throws(UnusableEnvironment) -> Placeholder {
    let picture = try picture(path, limit: limit)
    do throws(RenderFault) {
      let rendered = try await render.run(
        picture, profiles: profiles, deadline: .after(patience))
      guard rendered.extent == .whole else {
        throw .problem(Problem(.decode, .corrupt, "it does not show all of its picture"))
      }
      return Placeholder(
        render: render, picture: picture,
        usual: (profiles, attached(picture, rendered)))
    } catch .problem(let problem) {
      throw bad(path, problem.message)
    } catch {
      throw bad(path, "it cannot be decoded")
    }
  }

  private static func bad(_ path: String, _ reason: String) -> UnusableEnvironment {
    UnusableEnvironment("--placeholder: bad value '\(path)' (\(reason))", isBadValue: true)
  }

  private static func picture(
    _ path: String, limit: Int
  ) throws(UnusableEnvironment) -> FetchedPicture {
    let bytes: [UInt8]
    do throws(InputFailure) {
      bytes = try LocalInput.bytes(of: path, limit: limit)
    } catch {
      throw bad(path, "\(error)")
    }
    guard
      var picture = try? FetchedPicture(holding: bytes, url: "", finalURL: nil, cacheUse: .hit)
    else { throw UnusableEnvironment("--placeholder: \(path): it cannot be held in memory") }
    guard picture.format.kind == .image else {
      throw bad(path, "\(picture.format.rawValue) is no picture")
    }
    picture.mayKeepRenditions = true
    return picture
  }

  /// The attachment, with the contents of its renditions; nil where they cannot be had in time.
  func attachment(
    _ profiles: [RenditionProfile], deadline: Deadline
  ) async -> Attached? {
    guard let rendered = try? await render.run(picture, profiles: profiles, deadline: deadline),
      rendered.extent == .whole
    else { return nil }
    return Self.attached(picture, rendered)
  }

  /// The same for a job that has no time for anything; nil for profiles that are not the usual ones.
  func attachment(atOnceFor profiles: [RenditionProfile]) -> Attached? {
    profiles == usual.profiles ? usual.attached : nil
  }

  private static func attached(_ picture: FetchedPicture, _ rendered: RenderedPicture) -> Attached {
    let candidate = PictureCandidate(address: .inline(""), rung: .placeholder)
    var attachment = Manifest.Attachment(candidate, picture, rendered)
    attachment.source.url = nil
    return (attachment, rendered.renditions.map(\.content))
  }
}
