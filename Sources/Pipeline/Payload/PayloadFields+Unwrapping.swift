internal import Media

extension PayloadFields {
  /// The dictionary of the page script itself: out of the key that Safari wraps it in, or out of
  /// the first property list among shared items, or else the first address among them.
  func unwrapped() -> PayloadFields {
    var fields = self
    // Each form may hold the other once; nobody has a reason to nest deeper.
    for _ in 0..<3 {
      if case .json(.object(let inner))? = fields.values[Self.wrapperKey] {
        fields = PayloadFields(inner).over(fields)
      } else if case .json(.array(let items))? = fields.values["items"],
        let chosen = Self.chosen(among: items)
      {
        fields = chosen.over(fields)
      } else {
        break
      }
    }
    return fields
  }

  private static func chosen(among items: [JSONValue]) -> PayloadFields? {
    for item in items {
      guard let item = item.object, item["type"]?.string == "com.apple.property-list",
        let value = item["value"]?.object
      else { continue }
      var fields = PayloadFields(value)
      fields.useWeblocKey()
      return fields
    }
    for item in items {
      guard let item = item.object, item["type"]?.string == "public.url",
        let text = item["value"]?.string.flatMap(PayloadAddress.trimmed),
        PayloadAddress.isWeb(text)
      else { continue }
      return PayloadFields(url: text)
    }
    return nil
  }
}
