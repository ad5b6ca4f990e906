internal import CHEIF
internal import Imaging

/// Runs a libheif call and turns what it reports into a failure.
func checked(_ error: heif_error) throws(DecodeFailure) {
  if unsafe error.code != heif_error_Ok { throw unsafe DecodeFailure(error) }
}

extension DecodeFailure {
  init(_ error: heif_error) {
    let message = unsafe error.message.map { unsafe String(cString: $0) } ?? "no message"
    self =
      switch unsafe (error.code, error.subcode) {
      case (heif_error_Memory_allocation_error, heif_suberror_Security_limit_exceeded):
        .unsupported("libheif: \(message)")
      case (heif_error_Memory_allocation_error, _): .outOfMemory
      case (_, heif_suberror_End_of_data): .truncated("libheif: \(message)")
      case (heif_error_Unsupported_feature, _), (heif_error_Unsupported_filetype, _):
        .unsupported("libheif: \(message)")
      default: .corrupt("libheif: \(message)")
      }
  }
}
