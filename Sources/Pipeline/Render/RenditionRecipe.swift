package import Media

/// Everything that shapes the renditions of a picture, whatever the picture.
package struct RenditionRecipe: Sendable, Hashable {
  package var outputFormat = RenderRequest.OutputFormat.auto
  package var quality = 82
  package var flatten: RGBColour?
  /// A byte budget in place of the profiles'; 0 lifts it.
  package var maxBytes: Int?
  package var acceptsPartial = false
  /// The share of the picture, 0…1, that a partial one shows at least.
  package var leastVisible = 0.0
  package var embedded = RenderRequest.EmbeddedUse.never
  /// Whether progressive pictures are read no further than changes the renditions visibly.
  package var stopsEarly = true
  package var limits = DecodeLimits()

  package init() {}

  /// Raised when the same recipe gives other bytes than before: cached renditions count no more.
  static let encoderVersion = 4

  /// What a child is asked for.
  package func request(for profiles: [RenditionProfile]) -> RenderRequest {
    RenderRequest(
      operation: .render, renditions: profiles.map(rendition), outputFormat: outputFormat,
      quality: quality, flatten: flatten, acceptsPartial: acceptsPartial,
      leastVisible: leastVisible, embedded: embedded, reading: stopsEarly ? .enough : .everything,
      limits: limits)
  }

  /// The name of one profile's rendition in the cache's index: all that shapes it.
  func cacheKey(for profile: RenditionProfile) -> String {
    let rendition = rendition(profile)
    let colour = flatten.map { "\($0.red),\($0.green),\($0.blue)" } ?? "-"
    let budgets = [rendition.stillBudget, rendition.animatedBudget].map {
      $0.map(String.init) ?? "-"
    }
    return
      "v\(Self.encoderVersion) \(profile.box) \(profile.fit.rawValue) \(budgets[0]) \(budgets[1])"
      + " f\(outputFormat.rawValue) q\(quality) \(colour)"
      + (stopsEarly ? "" : " all")
  }

  /// The same of a poster or cover: with it is known what became of the file by these rules.
  func cacheKey(for profile: RenditionProfile, rules: AttachmentRules) -> String {
    "media \(rules.rawValue) \(cacheKey(for: profile))"
  }

  /// The name of the file that is attached by these rules.
  static func fileKey(_ rules: AttachmentRules) -> String {
    "file \(rules.rawValue) v\(encoderVersion)"
  }

  private func rendition(_ profile: RenditionProfile) -> RenderRequest.Rendition {
    var rendition = RenderRequest.Rendition(profile)
    if let maxBytes {
      rendition.stillBudget = maxBytes == 0 ? nil : maxBytes
      if rendition.animatedBudget != nil {
        rendition.animatedBudget = maxBytes == 0 ? .max : maxBytes
      }
    }
    return rendition
  }
}
