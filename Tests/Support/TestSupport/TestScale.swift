internal import Foundation

/// How much the tests that repeat themselves repeat: little by day, much by night.
package enum TestScale {
  /// Scripts/nightly sets `WIREPHOTO_TEST_NIGHTLY=1`.
  package static let isNightly =
    ProcessInfo.processInfo.environment["WIREPHOTO_TEST_NIGHTLY"] == "1"

  /// The number of repetitions.
  package static func count(_ usual: Int, nightly: Int) -> Int {
    isNightly ? nightly : usual
  }
}
