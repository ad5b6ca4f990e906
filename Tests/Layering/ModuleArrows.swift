/// The arrows of the design: which module may import which, and never more.
enum ModuleArrows {
  /// A module's own parts of the package and C libraries.
  static let allowed: [String: Set<String>] = [
    "Media": [],
    "Files": ["CSystemShims"],
    "Imaging": ["Media", "CCodecShims", "CGIF", "CWebP", "CLCMS", "CImageQuant"],
    "HEIFImaging": ["Media", "Imaging", "CDE265", "CDAV1D"],
    "AudioVideo": ["Media", "Imaging", "CAV"],
    "WebPage": ["Media", "CXML", "CZLib"],
    "Sandbox": ["Media", "Files", "CSystemShims", "CSeccomp"],
    "Download": ["Media", "Files", "CCurl", "CZLib"],
    "SharedCache": ["Media", "Files", "CSQLite", "CCrypto", "CHiredis"],
    "Pipeline": ["Media", "Files", "Sandbox", "Download", "SharedCache", "CMicroHTTPD"],
    "wirephoto": ["Media", "Files", "Pipeline"],
    "wirephoto-image-decoder": ["Media", "Files", "Sandbox", "Imaging"],
    "wirephoto-heif-decoder": ["Media", "Files", "Sandbox", "Imaging", "HEIFImaging"],
    "wirephoto-av-decoder": ["Media", "Files", "Sandbox", "AudioVideo"],
    "wirephoto-page-reader": ["Media", "Files", "Sandbox", "WebPage"],
  ]

  /// The C targets, which hold no Swift.
  static let cTargets: Set<String> = ["CLibraries", "CCodecShims", "CSystemShims"]

  /// What every module but Media may import of the system.
  static let system: Set<String> = ["Glibc", "Swift", "Synchronization"]

  /// What only the worker's side may: children start without it.
  static let foundation: Set<String> = ["Foundation", "FoundationEssentials", "Dispatch"]

  static let workerSide: Set<String> = ["Pipeline", "wirephoto"]

  /// The modules that code in `module` may import.
  static func permitted(in module: String) -> Set<String>? {
    guard let own = allowed[module] else { return nil }
    if module == "Media" { return own }
    return own.union(system).union(workerSide.contains(module) ? foundation : [])
  }
}

/// Swift source as far as these tests read it.
struct SourceText {
  let lines: [Substring]

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The lines without comments.
  var code: [Substring] {
    lines.map { line in
      line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
    }
  }

  /// The modules that are imported, whole or in part, with whatever attributes.
  var imports: [String] {
    code.compactMap { line in
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let place = words.firstIndex(of: "import"),
        words[..<place].allSatisfy({ $0.hasPrefix("@") || Self.accessLevels.contains($0) })
      else { return nil }
      // `import struct Module.Name`
      let named = words[words.index(after: place)...].first { !Self.kinds.contains($0) }
      return named.map { String($0.prefix { $0 != "." }) }
    }
  }

  private static let accessLevels: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private",
  ]
  private static let kinds: Set<Substring> = [
    "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
  ]

  /// Whether a word stands in the code.
  func uses(_ word: String) -> Bool {
    code.contains { line in
      line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == word }
    }
  }
}
