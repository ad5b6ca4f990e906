/// What a command was given: operands in order, and option values from the command line or, where
/// it has none, from the environment.
struct Arguments: Sendable {
  private(set) var operands: [String] = []
  private var values: [String: any Sendable] = [:]
  /// The variables of the options that the environment gave, by the options' names.
  private var variables: [String: String] = [:]

  /// The option's value, or its default.
  subscript<Value>(_ option: Option<Value>) -> Value {
    values[option.name] as? Value ?? option.fallback
  }

  /// Which of two options that exclude each other counts: one of the command line makes one of the
  /// environment give way. Throws where both are of one kind.
  func prevails<First, Second>(
    _ option: Option<First>, over other: Option<Second>
  ) throws(UsageError) -> Bool {
    guard values[option.name] != nil else { return false }
    guard values[other.name] != nil else { return true }
    let (first, second) = (variables[option.name], variables[other.name])
    guard (first == nil) == (second == nil) else { return first == nil }
    throw UsageError("\(first ?? option.name): cannot stand beside \(second ?? other.name)")
  }

  /// Reads `words` against the options of one command. Options may stand before or after operands;
  /// `--` ends them.
  init(
    _ words: some Sequence<String>, options: [AnyOption], environment: [String: String]
  ) throws(UsageError) {
    try readWords(Array(words)[...], options: options)
    try readEnvironment(environment, options: options)
  }

  private mutating func readWords(
    _ words: ArraySlice<String>, options: [AnyOption]
  ) throws(UsageError) {
    var rest = words
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        return
      }
      if word.hasPrefix("-"), word != "-" {
        try readOption(word, rest: &rest, options: options)
      } else {
        operands.append(word)
      }
    }
  }

  /// Takes the first operand away.
  mutating func popOperand() -> String? {
    operands.isEmpty ? nil : operands.removeFirst()
  }

  private mutating func readEnvironment(
    _ environment: [String: String], options: [AnyOption]
  ) throws(UsageError) {
    for option in options where values[option.name] == nil {
      guard let text = environment[option.environmentVariable], !text.isEmpty else { continue }
      guard let value = option.parse(text) else {
        throw UsageError(
          "\(option.environmentVariable): bad value '\(text)' (expected \(option.expected))")
      }
      values[option.name] = value
      variables[option.name] = option.environmentVariable
    }
  }

  private mutating func readOption(
    _ word: String, rest: inout ArraySlice<String>, options: [AnyOption]
  ) throws(UsageError) {
    let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = Self.longName(String(halves[0]))
    let attached = halves.count == 2 ? String(halves[1]) : nil
    guard let option = options.first(where: { $0.name == name }) else {
      throw UsageError("\(halves[0]): unknown option")
    }
    let text: String
    if option.isFlag {
      text = attached ?? "1"
    } else if let given = attached ?? rest.popFirst() {
      text = given
    } else {
      throw UsageError("\(name): needs a value \(option.placeholder ?? "")")
    }
    guard let value = option.parse(text) else {
      throw UsageError("\(name): bad value '\(text)' (expected \(option.expected))")
    }
    values[name] = value
  }

  private static func longName(_ name: String) -> String {
    switch name {
    case "-o": "--output"
    case "-h": "--help"
    default: name
    }
  }
}
