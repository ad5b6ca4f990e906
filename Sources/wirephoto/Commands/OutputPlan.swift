import Media

/// Where `render -o` puts each picture: one file, a folder, or a template.
struct OutputPlan: Sendable {
  private enum Form: Sendable {
    case file
    case folder
    case template
    case standardOutput
    /// What is there and no file: a device, a FIFO.
    case special
  }

  /// The names of standard output that the system has.
  private static let standardOutputs = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]

  private let path: String
  private let form: Form
  private let hasSeveralProfiles: Bool

  /// Throws when several pictures would go into one file, or two inputs to one name.
  init(_ path: String, inputs: [String], profiles: [RenditionProfile]) throws(UsageError) {
    self.path = path
    hasSeveralProfiles = profiles.count > 1
    if Self.standardOutputs.contains(path) {
      guard inputs.count == 1, profiles.count == 1 else {
        throw UsageError("--output: standard output takes one picture")
      }
      form = .standardOutput
    } else if path.contains("{") {
      try Self.checkTemplate(path)
      form = .template
    } else if path.hasSuffix("/") || FileKind.isFolder(path) {
      form = .folder
    } else {
      guard inputs.count == 1, profiles.count == 1 else {
        throw UsageError(
          "--output: '\(path)' is one file, but there are several pictures; a folder ends with /")
      }
      form = FileKind.isSpecial(path) ? .special : .file
    }
    try checkCollisions(inputs, profiles)
  }

  /// The format that the path's extension asks for; nil where it has none of ours.
  var formatOfExtension: RenderRequest.OutputFormat? {
    guard form == .file || form == .template else { return nil }
    switch Self.fileExtension(of: path)?.lowercased() {
    case "jpg", "jpeg": return .jpeg
    case "png": return .png
    case "gif": return .gif
    default: return nil
    }
  }

  /// The file for one picture; without `format`, the part that is known before any work.
  func file(input: String, profile: RenditionProfile, format: MediaFormat?) -> String {
    let name = Self.name(of: input)
    let stem =
      switch form {
      case .file, .standardOutput, .special: path
      case .folder:
        (path.hasSuffix("/") ? path : path + "/")
          + (hasSeveralProfiles ? "\(name)-\(profile.name)" : name)
      case .template: Self.fill(path, name: name, profile: profile.name)
      }
    guard let format, needsExtension, !isStandardOutput else { return stem }
    return "\(stem).\(format.fileExtensions.first ?? "bin")"
  }

  /// The folders that files will be written into.
  func folders(_ inputs: [String], _ profiles: [RenditionProfile]) -> Set<String> {
    guard !isStandardOutput, !isSpecial else { return [] }
    var folders: Set<String> = []
    for input in inputs {
      for profile in profiles {
        let file = file(input: input, profile: profile, format: nil)
        folders.insert(file.lastIndex(of: "/").map { String(file[...$0]) } ?? ".")
      }
    }
    return folders
  }

  /// Whether the picture goes to standard output.
  var isStandardOutput: Bool { form == .standardOutput }

  /// Whether it goes into what is there, as it is.
  var isSpecial: Bool { form == .special }

  /// Refuses an extension that says something else than the bytes will.
  func check(_ format: RenderRequest.OutputFormat) throws(UsageError) {
    guard form == .file || form == .template, let name = Self.fileExtension(of: path) else {
      return
    }
    guard let promised = formatOfExtension else {
      throw UsageError("--output: '.\(name)' is no format that is written (jpg, png, gif)")
    }
    guard format == .auto || format == promised else {
      throw UsageError("--output: '.\(name)' contradicts --format")
    }
  }

  private static func checkTemplate(_ path: String) throws(UsageError) {
    let rest = path.replacing("{name}", with: "").replacing("{profile}", with: "")
    guard !rest.contains("{"), !rest.contains("}") else {
      throw UsageError("--output: '\(path)' has a placeholder other than {name} and {profile}")
    }
  }

  /// Whether the path is a folder that may have to be made.
  var folderToMake: String? { form == .folder ? path : nil }

  /// An extension is anything behind a dot in the last part of the path that is no placeholder.
  private var needsExtension: Bool {
    form == .folder || (form != .special && Self.fileExtension(of: path) == nil)
  }

  private func checkCollisions(
    _ inputs: [String], _ profiles: [RenditionProfile]
  ) throws(UsageError) {
    var owners: [String: String] = [:]
    for input in inputs {
      for profile in profiles {
        let file = file(input: input, profile: profile, format: nil)
        if let owner = owners.updateValue(input, forKey: file) {
          throw UsageError("--output: '\(owner)' and '\(input)' would both become '\(file)'")
        }
      }
    }
  }

  private static func fill(_ template: String, name: String, profile: String) -> String {
    var result = ""
    var rest = template[...]
    while let brace = rest.firstIndex(of: "{") {
      result += rest[..<brace]
      rest = rest[brace...]
      if rest.hasPrefix("{name}") {
        result += name
        rest = rest.dropFirst(6)
      } else if rest.hasPrefix("{profile}") {
        result += profile
        rest = rest.dropFirst(9)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result + rest
  }

  /// The last part of a path without its extension; `stdin` for standard input.
  private static func name(of input: String) -> String {
    if input == "-" { return "stdin" }
    let last = input.split(separator: "/").last.map(String.init) ?? "picture"
    guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return last }
    return String(last[..<dot])
  }

  private static func fileExtension(of path: String) -> String? {
    let last = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return nil }
    let text = last[last.index(after: dot)...]
    return text.isEmpty || text.contains("}") ? nil : String(text)
  }
}
