import Foundation
import Media
import TestSupport

/// What ffprobe says of a file.
struct ReferenceProbe {
  let durationSeconds: Double?
  /// Of sound and film, covers left out.
  let codecs: [String]
  /// Aspect ratio of pixels and turn applied; nil for sound.
  let displayedSize: PixelSize?
  /// Degrees anti-clockwise.
  let rotation: Int

  init(_ path: String) async throws {
    let outcome = try await Command.tool(
      "ffprobe", ["-v", "error", "-show_streams", "-show_format", "-of", "json", path]
    ).run()
    // It leaves its answer unfinished where it finds no format.
    let answer =
      (try? JSONDecoder().decode(Answer.self, from: Data(outcome.output)))
      ?? Answer(streams: nil, format: nil)
    durationSeconds = answer.format?.duration.flatMap(Double.init)
    let shown = (answer.streams ?? []).filter { stream in
      ["audio", "video"].contains(stream.codec_type) && stream.disposition?["attached_pic"] != 1
    }
    codecs = shown.map { $0.codec_name ?? "none" }
    guard let film = shown.first(where: { $0.codec_type == "video" }),
      let width = film.width, let height = film.height
    else {
      displayedSize = nil
      rotation = 0
      return
    }
    rotation = film.side_data_list?.compactMap(\.rotation).first ?? 0
    let ratio = (film.sample_aspect_ratio ?? "1:1").split(separator: ":").compactMap { Double($0) }
    let aspect = ratio.count == 2 && ratio[0] > 0 && ratio[1] > 0 ? ratio[0] / ratio[1] : 1
    let size = PixelSize(width: Int((Double(width) * aspect).rounded()), height: height)
    displayedSize = rotation % 180 == 0 ? size : size.transposed
  }

  private struct Answer: Decodable {
    struct Stream: Decodable {
      let codec_type: String?
      let codec_name: String?
      let width: Int?
      let height: Int?
      let sample_aspect_ratio: String?
      let disposition: [String: Int]?
      let side_data_list: [SideData]?
    }
    struct SideData: Decodable {
      let rotation: Int?
    }
    struct Format: Decodable {
      let duration: String?
    }
    let streams: [Stream]?
    let format: Format?
  }
}
