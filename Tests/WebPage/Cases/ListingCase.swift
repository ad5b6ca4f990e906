import Media
import Testing

/// A feed or sitemap, and what must be found in it.
struct ListingCase: Sendable, CustomTestStringConvertible {
  let why: String
  let text: String
  var contentType: String?
  let kind: Listing.Kind?
  let entries: [ListingEntry]
  let isCut: Bool

  var testDescription: String { why }

  init(
    _ why: String, _ text: String, contentType: String? = nil, _ kind: Listing.Kind?,
    _ entries: ListingEntry..., isCut: Bool = false
  ) {
    self.why = why
    self.text = text
    self.contentType = contentType
    self.kind = kind
    self.entries = entries
    self.isCut = isCut
  }

  static let all = feeds + extensions + references + sitemaps + odd

  private static func page(_ reference: String) -> ListingEntry { .init(.page, reference) }
  private static func picture(_ reference: String) -> ListingEntry { .init(.picture, reference) }
  private static func listing(_ reference: String) -> ListingEntry { .init(.listing, reference) }

  static let feeds = [
    ListingCase(
      "RSS 2.0: the links of items, not the channel's",
      """
      <?xml version="1.0"?><rss version="2.0"><channel><title>T</title><link>https://a.example/</link>
      <image><url>https://a.example/logo.png</url><link>https://a.example/</link></image>
      <item><title>One</title><link>https://a.example/1</link></item>
      <item><link> https://a.example/2?a=1&amp;b=2 </link></item></channel></rss>
      """, .feed, page("https://a.example/1"), page("https://a.example/2?a=1&b=2")),
    ListingCase(
      "RSS: a link in CDATA",
      "<rss><channel><item><link><![CDATA[https://a.example/c?x=1&y=2]]></link></item></channel></rss>",
      .feed, page("https://a.example/c?x=1&y=2")),
    ListingCase(
      "RSS: an identifier that is an address stands for a missing link",
      "<rss><channel><item><guid>https://a.example/g</guid></item></channel></rss>",
      .feed, page("https://a.example/g")),
    ListingCase(
      "RSS: an identifier that is none does not, nor one that is no address",
      """
      <rss><channel><item><guid isPermaLink="false">https://a.example/g</guid></item>
      <item><guid>tag:17</guid></item></channel></rss>
      """, .feed),
    ListingCase(
      "RSS: a picture enclosed counts, sound does not",
      """
      <rss><channel><item><enclosure url="https://a.example/e.jpg" type="image/jpeg" length="9"/>
      <enclosure url="https://a.example/e.mp3" type="audio/mpeg"/><link>https://a.example/1</link></item>
      </channel></rss>
      """, .feed, page("https://a.example/1"), picture("https://a.example/e.jpg")),
    ListingCase(
      "RSS: an enclosure of no type may be a picture",
      "<rss><channel><item><enclosure url='https://a.example/e'/></item></channel></rss>",
      .feed, picture("https://a.example/e")),
    ListingCase(
      "RSS 1.0: items stand beside the channel",
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
      <channel rdf:about="https://a.example/rss"><link>https://a.example/</link></channel>
      <item rdf:about="https://a.example/x"><link>https://a.example/1</link></item>
      <item rdf:about="https://a.example/2"><title>No link</title></item></rdf:RDF>
      """, .feed, page("https://a.example/1"), page("https://a.example/2")),
    ListingCase(
      "RSS 1.0: enclosures of mod_enclosure",
      """
      <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#" xmlns="http://purl.org/rss/1.0/">
      <item><enc:enclosure r:resource="https://a.example/p.png" enc:type="image/png"/></item></r:RDF>
      """, .feed, picture("https://a.example/p.png")),
    ListingCase(
      "Atom: alternate links alone, with or without rel",
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="https://a.example/feed"/>
      <link href="https://a.example/"/><entry><link rel="replies" href="https://a.example/r"/>
      <link rel="alternate" type="text/html" href="https://a.example/1"/></entry>
      <entry><link href="https://a.example/2"/><link rel="edit" href="https://a.example/e"/></entry>
      <entry><link rel="alternate" type="application/json" href="https://a.example/3.json"/></entry></feed>
      """, .feed, page("https://a.example/1"), page("https://a.example/2")),
    ListingCase(
      "Atom: a picture enclosed",
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><entry>
      <link rel="enclosure" type="image/png" href="https://a.example/p.png"/>
      <link rel="enclosure" type="video/mp4" href="https://a.example/f.mp4"/></entry></feed>
      """, .feed, picture("https://a.example/p.png")),
    ListingCase(
      "Atom: xml:base resolves what is relative, nested bases too",
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.example/blog/">
      <entry xml:base="2026/"><link href="one"/></entry><entry><link href="../two"/></entry>
      <entry><link href="https://b.example/three"/></entry></feed>
      """, .feed, page("https://a.example/blog/2026/one"), page("https://a.example/two"),
      page("https://b.example/three")),
    ListingCase(
      "Atom: the feed that an entry was taken from does not count",
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><entry><source><link href="https://b.example/"/></source>
      <link href="https://a.example/1"/></entry></feed>
      """, .feed, page("https://a.example/1")),
    ListingCase(
      "Atom's links inside RSS",
      """
      <rss xmlns:atom="http://www.w3.org/2005/Atom"><channel>
      <atom:link rel="self" href="https://a.example/rss"/><item>
      <atom:link rel="replies" href="https://a.example/r"/><link>https://a.example/1</link></item>
      </channel></rss>
      """, .feed, page("https://a.example/1")),
    ListingCase(
      "Relative links stay as they are where no base is declared",
      "<rss><channel><item><link>/1</link></item></channel></rss>", .feed, page("/1")),
  ]

  static let extensions = [
    ListingCase(
      "Media RSS: pictures by medium, by type, or by neither; thumbnails always",
      """
      <rss xmlns:media="http://search.yahoo.com/mrss/"><channel><item>
      <media:content url="https://a.example/1.jpg" medium="image"/>
      <media:content url="https://a.example/2.png" type="image/png"/>
      <media:content url="https://a.example/3"/>
      <media:content url="https://a.example/f.mp4" medium="video"><media:thumbnail
        url="https://a.example/t.jpg"/></media:content>
      <media:content url="https://a.example/s.mp3" type="audio/mpeg"/></item></channel></rss>
      """, .feed, picture("https://a.example/1.jpg"), picture("https://a.example/2.png"),
      picture("https://a.example/3"), picture("https://a.example/t.jpg")),
    ListingCase(
      "Media RSS: inside a group, and without its slash",
      """
      <rss xmlns:m="http://search.yahoo.com/mrss"><channel><item><m:group>
      <m:content url="https://a.example/1.jpg" medium="image"/></m:group></item></channel></rss>
      """, .feed, picture("https://a.example/1.jpg")),
    ListingCase(
      "Media RSS whose prefix nobody declared",
      """
      <rss><channel><item><media:thumbnail url="https://a.example/t.jpg"/></item></channel></rss>
      """, .feed, picture("https://a.example/t.jpg")),
    ListingCase(
      "Podcasts: covers of the channel and of episodes",
      """
      <rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
      <itunes:image href="https://a.example/cover.jpg"/><item>
      <itunes:image href="https://a.example/e1.jpg"/><link>https://a.example/e1</link></item>
      </channel></rss>
      """, .feed, picture("https://a.example/cover.jpg"), picture("https://a.example/e1.jpg"),
      page("https://a.example/e1")),
    ListingCase(
      "One picture named twice by an item is one",
      """
      <rss xmlns:media="http://search.yahoo.com/mrss/"><channel><item>
      <enclosure url="https://a.example/1.jpg" type="image/jpeg"/>
      <media:content url="https://a.example/1.jpg" medium="image"/></item></channel></rss>
      """, .feed, picture("https://a.example/1.jpg")),
  ]

  /// Each reference once in each place; they are undone once (XML 1.0 §4.4.5, §4.6).
  static let references = [
    ("&amp;", "&"), ("&#38;", "&"), ("&#x26;", "&"), ("&amp;amp;", "&amp;"),
    ("&amp;#38;", "&#38;"), ("&#38;#38;", "&#38;"), ("&amp;lt;", "&lt;"), ("&lt;", "<"),
    ("&quot;", "\""), ("&apos;", "'"), ("&#60;", "<"), ("&#xE9;", "é"),
  ].flatMap { written, meant in
    let (before, after) = (
      "https://a.example/?id=1\(written)cat=2", "https://a.example/?id=1\(meant)cat=2"
    )
    return [
      ListingCase(
        "Atom: \(written) in a link",
        """
        <feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="\(before)"/></entry></feed>
        """, .feed, page(after)),
      ListingCase(
        "RSS: \(written) in a link, an enclosure, a picture and a thumbnail",
        """
        <rss xmlns:media="http://search.yahoo.com/mrss/"><channel><item><link>\(before)</link>
        <enclosure url="\(before)e" type="image/jpeg"/>
        <media:content url='\(before)c' medium="image"/><media:thumbnail url="\(before)t"/>
        </item></channel></rss>
        """, .feed, page(after), picture(after + "e"), picture(after + "c"), picture(after + "t")),
    ]
  }

  static let sitemaps = [
    ListingCase(
      "A sitemap's pages",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>
      https://a.example/1?a=1&amp;b=2</loc><lastmod>2026-01-01</lastmod></url>
      <url><loc>https://a.example/2</loc></url></urlset>
      """, .sitemap, page("https://a.example/1?a=1&b=2"), page("https://a.example/2")),
    ListingCase(
      "A sitemap's pictures",
      """
      <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>https://a.example/1</loc>
      <image:image><image:loc>https://a.example/1.jpg</image:loc></image:image>
      <image:image><image:loc>https://b.example/2.jpg</image:loc></image:image></url></urlset>
      """, .sitemap, page("https://a.example/1"), picture("https://a.example/1.jpg"),
      picture("https://b.example/2.jpg")),
    ListingCase(
      "Videos and news in a sitemap do not count",
      """
      <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:v="http://www.google.com/schemas/sitemap-video/1.1"><url><loc>https://a.example/1</loc>
      <v:video><v:loc>https://a.example/f.mp4</v:loc></v:video></url></urlset>
      """, .sitemap, page("https://a.example/1")),
    ListingCase(
      "A sitemap without a namespace, and an old one",
      """
      <urlset><url><loc>https://a.example/1</loc></url>
      <url xmlns="http://www.google.com/schemas/sitemap/0.84"><loc>https://a.example/2</loc></url></urlset>
      """, .sitemap, page("https://a.example/1"), page("https://a.example/2")),
    ListingCase(
      "An index of sitemaps",
      """
      <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap>
      <loc>https://a.example/s1.xml.gz</loc></sitemap><sitemap><loc>https://a.example/s2.xml</loc>
      </sitemap></sitemapindex>
      """, .sitemapIndex, listing("https://a.example/s1.xml.gz"),
      listing("https://a.example/s2.xml")),
  ]

  static let odd = [
    ListingCase(
      "An empty location says nothing",
      "<urlset><url><loc> </loc></url><url><loc/></url></urlset>", .sitemap),
    ListingCase(
      "Entities of HTML that XML does not know are passed over",
      "<rss><channel><item><title>a&nbsp;b</title><link>https://a.example/1</link></item></channel></rss>",
      .feed, page("https://a.example/1"), isCut: true),
    ListingCase(
      "What came before a break counts",
      "<rss><channel><item><link>https://a.example/1</link></item><item><link>https://a.exa",
      .feed, page("https://a.example/1"), isCut: true),
    ListingCase("HTML is no listing", "<!doctype html><html><body><p>x</body></html>", nil),
    ListingCase("Other XML is none", "<svg xmlns='http://www.w3.org/2000/svg'/>", nil),
    ListingCase("Text is none", "https://a.example/", nil),
    ListingCase("Nothing is none", "", nil),
    ListingCase(
      "A charset of the declaration, in an address",
      "<?xml version='1.0' encoding='utf-8'?><rss><channel><item><link>https://a.example/é</link></item></channel></rss>",
      .feed, page("https://a.example/é")),
  ]
}
