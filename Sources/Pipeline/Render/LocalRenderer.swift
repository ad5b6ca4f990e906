package import Files
package import Media
internal import Sandbox

/// Makes bounded pictures from local files, without cache or network.
package struct LocalRenderer: Sendable {
  let children: PictureChildren
  let recipe: RenditionRecipe
  let profiles: [RenditionProfile]
  let byteLimit: Int

  /// Time for one file.
  static let timeLimit = Duration.seconds(120)

  package init(
    children: PictureChildren, recipe: RenditionRecipe, profiles: [RenditionProfile],
    byteLimit: Int
  ) {
    self.children = children
    self.recipe = recipe
    self.profiles = profiles
    self.byteLimit = byteLimit
  }

  /// Why a file gave no picture.
  package enum Failure: Error, Sendable {
    /// Nothing can be told of what it holds: it could not be opened or read.
    case unreadable(InputFailure)
    case problem(Problem)
  }

  /// The renditions of one file.
  package func render(
    _ path: String
  ) async throws(UnusableDecoders) -> Result<LocalRendering, Failure> {
    let input: LocalInput
    do throws(InputFailure) {
      input = try LocalInput.open(path, limit: byteLimit)
    } catch {
      return .failure(.unreadable(error))
    }
    if PictureChildren.family(of: input.format) == nil,
      let refusal = PictureSniffer.refusal(of: input.format)
    {
      return .failure(.problem(Problem(.decode, refusal.code, refusal.message)))
    }
    do throws(ChildFailure) {
      let result = try await children.picture(
        recipe.request(for: profiles), of: input, deadline: .after(Self.timeLimit))
      guard !result.reply.renditions.isEmpty else {
        return .failure(.problem(result.reply.failure))
      }
      return .success(LocalRendering(result))
    } catch .unavailable(let reason) {
      throw UnusableDecoders(reason: reason)
    } catch {
      return .failure(.problem(error.problem))
    }
  }
}

/// The pictures made of one file, in the decoder's sealed output.
package struct LocalRendering: Sendable {
  package let renditions: [RenderReply.Rendition]
  package let problems: [Problem]
  private let output: ChildOutput

  init(_ result: RenderResult) {
    renditions = result.reply.renditions
    problems = result.reply.problems
    output = result.output
  }

  /// One encoded picture.
  package func bytes(of rendition: RenderReply.Rendition) throws(SystemCallFailure) -> [UInt8] {
    try output.bytes(rendition.bytes)
  }
}
