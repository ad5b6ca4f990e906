package import Media

extension Manifest {
  /// How good a picture could be had in time (contract §6), best first.
  package enum Rung: String, Sendable, Hashable, CaseIterable {
    case full, stale, partial, alternate, embedded, icon, placeholder
  }

  /// One picture, sound or film of the notification.
  package struct Attachment: Sendable, Hashable {
    package enum PlayButton: String, Sendable, Hashable, CaseIterable {
      case none
      case `default`
      case overlay
    }

    package var identifier: String
    package var kind: MediaKind
    package var altText: String?
    package var rung: Rung
    package var source: Source
    package var renditions: [Rendition]
    package var playButton = PlayButton.none
    /// Base64.
    package var thumbHash: String?
    /// `#rrggbb`.
    package var dominantColor: String?

    package init(
      identifier: String, kind: MediaKind, rung: Rung, source: Source, renditions: [Rendition]
    ) {
      self.identifier = identifier
      self.kind = kind
      self.rung = rung
      self.source = source
      self.renditions = renditions
    }
  }

  /// Where an attachment came from.
  package struct Source: Sendable, Hashable {
    package enum CacheUse: String, Sendable, Hashable, CaseIterable {
      case miss, hit, revalidated, stale, coalesced
    }

    package var url: String?
    package var finalURL: String?
    package var format: MediaFormat?
    /// As displayed.
    package var size: PixelSize?
    package var bytes: Int?
    package var durationSeconds: Double?
    package var codecs: [String] = []
    package var cache: CacheUse?

    package init(url: String?) {
      self.url = url
    }
  }

  /// One file for one profile.
  package struct Rendition: Sendable, Hashable {
    package enum Role: String, Sendable, Hashable, CaseIterable {
      case picture, poster, media
    }

    package var profile: String
    package var role: Role
    package var file: String?
    package var objectURL: String?
    package var format: MediaFormat
    /// As displayed; nil for sound.
    package var size: PixelSize?
    package var frames: Int?
    package var bytes: Int
    /// 64 lower-case hexadecimal digits.
    package var sha256: String
    /// What a player holds, decoded.
    package var decodedBytes: Int?
    package var options = Options()
    /// Whether it shows a part of the source, chosen for its profile.
    package var isCut = false

    package init(profile: String, role: Role, format: MediaFormat, bytes: Int, sha256: String) {
      self.profile = profile
      self.role = role
      self.format = format
      self.bytes = bytes
      self.sha256 = sha256
      options.typeHint = format.typeIdentifier
    }
  }

  /// UNNotificationAttachment's options.
  package struct Options: Sendable, Hashable {
    package var typeHint: String?
    /// 0…1, from the upper left corner.
    package var thumbnailClippingRect: UnitRectangle?
    /// Seconds into a film, or a frame of an animation.
    package var thumbnailTime: Double?
    package var thumbnailHidden = false

    package init() {}
  }

  /// The name of a rendition's file in the outbox, with the first eight digits of its hash.
  package static func fileName(
    identifier: String, profile: String, sha256: String, fileExtension: String
  ) -> String {
    "\(identifier)-\(profile)-\(sha256.prefix(8)).\(fileExtension)"
  }
}
