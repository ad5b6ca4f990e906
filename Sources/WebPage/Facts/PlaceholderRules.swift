/// Which references of an `<img>` show nothing worth showing.
enum PlaceholderRules {
  /// Whether the reference can be a picture on the web at all.
  static func isUsable(_ reference: String) -> Bool {
    guard !reference.isEmpty, reference.utf8.count <= 8192 else { return false }
    let start = reference.prefix(12).lowercased()
    return !["data:", "blob:", "about:", "javascript:", "file:", "#"].contains {
      start.hasPrefix($0)
    }
  }

  /// Whether a reference is a vector drawing, which is not decoded, or bears the name of a stand-in
  /// for a picture that a script loads later.
  static func isPlaceholder(_ reference: String) -> Bool {
    let path = reference.prefix { $0 != "?" && $0 != "#" }
    let file = path.split(separator: "/").last?.lowercased() ?? ""
    if file.hasSuffix(".svg") { return true }
    let name = file.prefix { $0 != "." }
    let isPlain = file.hasSuffix(".gif") || file.hasSuffix(".png")
    if isPlain, standIns.contains(String(name)) { return true }
    return name.split { !$0.isLetter && !$0.isNumber }.contains { telling.contains(String($0)) }
  }

  private static let standIns: Set = [
    "blank", "pixel", "transparent", "loading", "lazy", "grey", "gray", "clear", "dot", "empty",
    "trans", "loader", "1px", "t", "s", "px",
  ]
  private static let telling: Set = ["1x1", "spacer", "placeholder", "lazyload", "clearpixel"]
}
