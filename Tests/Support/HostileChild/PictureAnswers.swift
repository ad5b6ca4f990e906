import Media
import Sandbox

extension Behaviour {
  /// An answer to a picture request with one rendition of 100 × 100, contained. The output is empty.
  static func picture(_ name: String) -> RenderReply? {
    let whole = RenderReply.Rendition(
      requestIndex: 0, format: .jpeg, size: PixelSize(width: 100, height: 75), frames: 1,
      bytes: 0..<0)
    var bad = whole
    switch name {
    case "picture-nothing": return RenderReply()
    case "picture-beyond-output": bad.bytes = 0..<1_000_000
    case "picture-empty": break
    case "picture-wrong-index": bad.requestIndex = 7
    case "picture-negative-index": bad.requestIndex = -1
    case "picture-too-large": bad.size = PixelSize(width: 101, height: 10)
    case "picture-many-frames": bad.frames = 2
    case "picture-twice": return RenderReply(renditions: [whole, whole])
    default: return nil
    }
    return RenderReply(renditions: [bad])
  }
}
