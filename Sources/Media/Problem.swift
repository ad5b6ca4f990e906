/// Something that went wrong with an input, as the contract names it.
package struct Problem: Sendable, Hashable, Error {
  package enum Severity: String, Sendable, Hashable, CaseIterable {
    case note, warning, error
  }

  package enum Stage: String, Sendable, Hashable, CaseIterable {
    case intake, page, download, decode, store, publish
  }

  /// The contract's problem codes (§11).
  package enum Code: String, Sendable, Hashable, CaseIterable {
    case unreadablePayload, payloadTooLarge, badField, unsupportedURL, addressNotAllowed
    case dnsFailure, connectFailure, tlsFailure, httpStatus, tooManyRedirects, downloadTimeout
    case downloadTooLarge, truncatedBody, notMedia, unsupportedFormat, corrupt, tooManyPixels
    case tooManyFrames, decoderCrashed, decoderTimeout, decoderMemory, sandboxViolation
    case workerCrashed, unsupportedCharset, brokenProfile, byteBudget, noPicture
    case attachmentTooLarge, tooManyAttachments, unknownCategory, deadlineExceeded, expired
    case diskFull, cacheCorrupt
  }

  package var severity: Severity
  package var stage: Stage
  package var code: Code
  /// What happened, which value and which limit: one line for a person.
  package var message: String
  /// The address concerned, where one is.
  package var url: String?

  package init(
    _ stage: Stage, _ code: Code, _ message: String, severity: Severity = .error,
    url: String? = nil
  ) {
    self.severity = severity
    self.stage = stage
    self.code = code
    self.message = message
    self.url = url
  }
}
