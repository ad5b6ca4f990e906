package import Download
package import Media

/// What `settings.json` says (contract §7): profiles by name, notification
/// categories, and what holds for single hosts.
package struct Settings: Sendable, Hashable {
  /// Named boxes beside the built-in ones; one of a built-in name takes its place.
  package var profiles: [RenditionProfile] = []
  package var categories: [NotificationCategory] = []
  /// What holds for single hosts.
  package var hosts = HostRules()

  package init() {}

  /// The profile of a name: of the settings, built in, or a box of its own (`WxH`, `WxH@S`).
  package func profile(named name: String) -> RenditionProfile? {
    profiles.first { $0.name == name } ?? RenditionProfile(named: name)
  }

  package func category(_ identifier: String) -> NotificationCategory? {
    categories.first { $0.identifier == identifier }
  }
}

/// A notification category and its actions, as UNNotificationCategory has them.
package struct NotificationCategory: Sendable, Hashable {
  package var identifier: String
  package var actions: [JSONValue]
}

/// A settings file that cannot be used: exit 3.
package struct SettingsFailure: Error, Sendable, Hashable {
  package let message: String
}
