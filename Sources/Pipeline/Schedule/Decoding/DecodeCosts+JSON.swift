internal import Media

extension DecodeCosts {
  /// As `KeptCosts` keeps them: ratios to what is supposed before anything is measured.
  var json: JSONValue {
    let kept = classes.map { JSONObject.Member(name: $0.key.text, value: $0.value.json) }
    return [
      "machine": machine.json,
      "classes": .object(JSONObject(members: kept.sorted { $0.name < $1.name })),
    ]
  }

  /// Nil where the machine's ratio is missing; a class that makes no sense is left out.
  init?(_ json: JSONValue) {
    guard let object = json.object, let machine = object["machine"].flatMap({ Ratio($0) })
    else { return nil }
    var classes: [Class: Ratio] = [:]
    for member in object["classes"]?.object?.members ?? [] {
      guard let key = Class(text: member.name), let ratio = Ratio(member.value) else { continue }
      classes[key] = ratio
    }
    self.init(machine: machine, classes: classes)
  }
}

extension DecodeCosts.Class {
  /// Coding, magnitude, and for which results.
  fileprivate var text: String {
    "\(coding.rawValue) \(magnitude) \(isForSmall ? "small" : "large")"
  }

  fileprivate init?(text: String) {
    let words = text.split(separator: " ")
    guard words.count == 3, let coding = DecodeSubject.Coding(rawValue: String(words[0])),
      let magnitude = Int(words[1]), Self.magnitudes.contains(magnitude),
      words[2] == "small" || words[2] == "large"
    else { return nil }
    self.init(coding: coding, magnitude: magnitude, isForSmall: words[2] == "small")
  }
}

extension DecodeCosts.Ratio {
  fileprivate var json: JSONValue {
    let numbers = [("usual", usual), ("cautious", cautious)].map { name, quantile in
      let thousandths = (quantile.value * 1000).rounded() / 1000
      let value = JSONNumber(thousandths).map { JSONValue.number($0) } ?? .null
      return JSONObject.Member(name: name, value: value)
    }
    return .object(JSONObject(members: numbers))
  }

  fileprivate init?(_ json: JSONValue) {
    guard let usual = json.object?["usual"]?.double, Self.range.contains(usual),
      let cautious = json.object?["cautious"]?.double, Self.range.contains(cautious)
    else { return nil }
    self.init(usual: usual, cautious: cautious)
  }
}
