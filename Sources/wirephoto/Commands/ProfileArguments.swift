import Media
import Pipeline

/// The profiles and the recipe that a command's picture options ask for.
enum ProfileArguments {
  static let recipeOptions = [
    AnyOption(Options.format), AnyOption(Options.quality), AnyOption(Options.maxBytes),
    AnyOption(Options.flatten), AnyOption(Options.noEarlyStop),
  ]

  /// Named profiles and boxes; `iphone` where none is asked for.
  static func profiles(
    _ names: [String], option: String, among settings: Settings
  ) throws(UsageError) -> [RenditionProfile] {
    var profiles: [RenditionProfile] = []
    for name in names.isEmpty ? [RenditionProfile.iphone.name] : names {
      guard let profile = settings.profile(named: name) else {
        let known = (RenditionProfile.builtIn + settings.profiles).map(\.name)
          .joined(separator: ", ")
        throw UsageError("\(option): bad value '\(name)' (expected \(known), WxH or WxH@S)")
      }
      if !profiles.contains(profile) { profiles.append(profile) }
    }
    return profiles
  }

  static func recipe(_ arguments: Arguments) -> RenditionRecipe {
    var recipe = RenditionRecipe()
    recipe.outputFormat = arguments[Options.format].outputFormat
    recipe.quality = arguments[Options.quality]
    recipe.flatten = arguments[Options.flatten]
    recipe.maxBytes = arguments[Options.maxBytes]
    recipe.stopsEarly = !arguments[Options.noEarlyStop]
    recipe.limits = Toolbox.limits(arguments)
    return recipe
  }
}

/// The settings file that a command's options name.
enum SettingsArguments {
  static func load(
    _ arguments: Arguments, cache: String?
  ) throws -> CurrentSettings {
    let file = try arguments.existingFile(Options.settings)
    do throws(SettingsFailure) {
      return try CurrentSettings(file, cache: cache)
    } catch {
      throw EnvironmentError(error.message)
    }
  }
}
