/// An arithmetic result that does not fit, met on a number from outside.
package struct ArithmeticOverflow: Error, Sendable, Hashable {
  package init() {}
}

extension FixedWidthInteger {
  /// The sum, or an error where it does not fit.
  package func adding(checked other: Self) throws(ArithmeticOverflow) -> Self {
    let (value, overflow) = addingReportingOverflow(other)
    guard !overflow else { throw ArithmeticOverflow() }
    return value
  }

  /// The difference, or an error where it does not fit.
  package func subtracting(checked other: Self) throws(ArithmeticOverflow) -> Self {
    let (value, overflow) = subtractingReportingOverflow(other)
    guard !overflow else { throw ArithmeticOverflow() }
    return value
  }

  /// The product, or an error where it does not fit.
  package func multiplied(checked other: Self) throws(ArithmeticOverflow) -> Self {
    let (value, overflow) = multipliedReportingOverflow(by: other)
    guard !overflow else { throw ArithmeticOverflow() }
    return value
  }
}
