/// What we ask for, what we decode best first (RFC 9110 §12.5.1).
package enum AcceptField {
  package static let picture =
    "image/jpeg,image/png,image/webp,image/gif;q=0.9,image/avif;q=0.8,image/heic;q=0.8,"
    + "image/*;q=0.5,*/*;q=0.1"
  package static let media =
    "video/mp4,audio/mp4,audio/mpeg,video/quicktime;q=0.9,video/*;q=0.8,audio/*;q=0.8,*/*;q=0.1"
  package static let page = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1"
  package static let feed =
    "application/rss+xml,application/atom+xml,application/xml;q=0.9,text/xml;q=0.9,*/*;q=0.1"
}
