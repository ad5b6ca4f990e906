/// What a picture child is asked for: facts alone, or bounded renditions as well.
package struct RenderRequest: Sendable, Hashable {
  package enum Operation: UInt8, Sendable, Hashable, CaseIterable {
    /// Header facts only.
    case probe
    /// Facts, and every row decoded: tells truncation.
    case probeDeep
    /// Facts and renditions.
    case render
  }

  /// The written format; `auto` is GIF for an animation where one is wanted, else JPEG when opaque,
  /// else PNG.
  package enum OutputFormat: UInt8, Sendable, Hashable, CaseIterable {
    case auto, jpeg, png, gif
  }

  /// When the thumbnail that a file carries beside its picture stands in for the picture.
  package enum EmbeddedUse: UInt8, Sendable, Hashable, CaseIterable {
    case never
    /// Where the picture itself cannot be shown.
    case asFallback
    /// In any case: the picture is not decoded.
    case always
  }

  /// How much of a progressive picture is read.
  package enum Reading: UInt8, Sendable, Hashable, CaseIterable {
    case everything
    /// No more than changes the renditions visibly; when time is short, by more than one bit.
    case enough
    /// No more than changes them by more than one bit: there is no more.
    case leastEnough
  }

  /// One bounded picture to make.
  package struct Rendition: Sendable, Hashable {
    package var box: PixelSize
    package var fit: RenditionProfile.Fit
    /// Bytes a still may have; nil lifts the budget.
    package var stillBudget: Int?
    /// Bytes an animation may have, `Int.max` without a budget; nil where only a still is wanted.
    package var animatedBudget: Int?

    package init(
      box: PixelSize, fit: RenditionProfile.Fit, stillBudget: Int?, animatedBudget: Int?
    ) {
      self.box = box
      self.fit = fit
      self.stillBudget = stillBudget
      self.animatedBudget = animatedBudget
    }

    package init(_ profile: RenditionProfile) {
      self.init(
        box: profile.box, fit: profile.fit, stillBudget: profile.stillBudget,
        animatedBudget: profile.animatedBudget)
    }
  }

  package var operation: Operation
  package var renditions: [Rendition]
  package var outputFormat: OutputFormat
  /// JPEG quality, 1…100; the budget may ask for less.
  package var quality: Int
  /// The colour that shows through where alpha was; nil keeps alpha.
  package var flatten: RGBColour?
  /// Whether a file whose data ends early gives what it holds.
  package var acceptsPartial: Bool
  /// The share of the picture, 0…1, that a file whose data ends early must show at least.
  package var leastVisible: Double
  package var embedded: EmbeddedUse
  /// What comparing a thumbnail that is shown in any case with its picture may take; nil where it is
  /// not compared.
  package var comparison: Duration?
  package var reading: Reading
  package var limits: DecodeLimits
  /// By which rules sound and film are to be brought into a container that notifications play; nil
  /// where that is not wanted.
  package var attachment: AttachmentRules?
  /// What rendering may take; nil where only the child's limits count. An animation is bounded to
  /// what can be done in it.
  package var time: Duration?

  package init(
    operation: Operation, renditions: [Rendition] = [], outputFormat: OutputFormat = .auto,
    quality: Int = 82, flatten: RGBColour? = nil, acceptsPartial: Bool = false,
    leastVisible: Double = 0, embedded: EmbeddedUse = .never, comparison: Duration? = nil,
    reading: Reading = .enough, limits: DecodeLimits = DecodeLimits(),
    attachment: AttachmentRules? = nil,
    time: Duration? = nil
  ) {
    self.operation = operation
    self.renditions = renditions
    self.outputFormat = outputFormat
    self.quality = quality
    self.flatten = flatten
    self.acceptsPartial = acceptsPartial
    self.leastVisible = leastVisible
    self.embedded = embedded
    self.comparison = comparison
    self.reading = reading
    self.limits = limits
    self.attachment = attachment
    self.time = time
  }
}

/// An opaque sRGB colour, 8 bits a component.
package struct RGBColour: Sendable, Hashable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8

  package init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}
