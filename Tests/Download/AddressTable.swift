/// Spellings and what the WHATWG URL Standard makes of them, with our refusals.
enum AddressTable {
  struct Row: Sendable, CustomStringConvertible {
    let spelling: String
    let expected: String
    var description: String { spelling }
  }

  struct Reference: Sendable, CustomStringConvertible {
    let base: String
    let reference: String
    let expected: String?
    var description: String { reference }
  }

  private static func rows(_ pairs: [(String, String)]) -> [Row] {
    pairs.map { Row(spelling: $0.0, expected: $0.1) }
  }

  static let accepted: [Row] = plain + foreignHosts + numericHosts + paths

  private static let plain = rows([
    ("http://a.example", "http://a.example/"),
    ("http://a.example/", "http://a.example/"),
    ("HTTP://A.EXAMPLE/Path", "http://a.example/Path"),
    ("hTTpS://a.example/", "https://a.example/"),
    ("http://a.example:80/", "http://a.example/"),
    ("https://a.example:443/x", "https://a.example/x"),
    ("https://a.example:80/x", "https://a.example:80/x"),
    ("http://a.example:443/x", "http://a.example:443/x"),
    ("http://a.example:8080/x", "http://a.example:8080/x"),
    ("http://a.example:00080/x", "http://a.example/x"),
    ("http://a.example:/x", "http://a.example/x"),
    ("http://a.example:65535/x", "http://a.example:65535/x"),
    ("  http://a.example/x  ", "http://a.example/x"),
    ("\u{1}\u{1f} http://a.example/x\u{0}", "http://a.example/x"),
    ("\n\thttp://a.example/x\r\n", "http://a.example/x"),
    ("ht\ntp://a.exa\tmple/x\ry", "http://a.example/xy"),
    ("http://a.example/x#fragment", "http://a.example/x"),
    ("http://a.example#@b.example/", "http://a.example/"),
    ("http://a.example?q", "http://a.example/?q"),
    ("http://a.example?q#f?g", "http://a.example/?q"),
    // An empty query is dropped: no server tells the difference.
    ("http://a.example/?", "http://a.example/"),
    ("http:\\\\a.example\\x\\y", "http://a.example/x/y"),
    ("http:/a.example/x", "http://a.example/x"),
    ("http:a.example/x", "http://a.example/x"),
    ("http:///a.example/x", "http://a.example/x"),
    ("http:////a.example/x", "http://a.example/x"),
    ("https:\\/a.example/x", "https://a.example/x"),
    ("http://a_b.example/", "http://a_b.example/"),
    ("http://a-b.example/", "http://a-b.example/"),
    ("http://a.example./x", "http://a.example./x"),
    ("http://localhost/x", "http://localhost/x"),
    ("http://x/", "http://x/"),
    ("http://123.example/", "http://123.example/"),
    ("http://1.2.3.example/", "http://1.2.3.example/"),
    ("http://a.example\\@b.example/", "http://a.example/@b.example/"),
    ("http://a.example/@b.example", "http://a.example/@b.example"),
    ("http://a.example?@b.example", "http://a.example/?@b.example"),
  ])

  private static let foreignHosts = rows([
    ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    ("http://BÜCHER.example/", "http://xn--bcher-kva.example/"),
    ("http://bu\u{308}cher.example/", "http://xn--bcher-kva.example/"),
    ("http://münchen.de/straße", "http://xn--mnchen-3ya.de/stra%C3%9Fe"),
    ("http://faß.de/", "http://xn--fa-hia.de/"),
    ("http://日本語.jp/", "http://xn--wgv71a119e.jp/"),
    ("http://日本語。jp/", "http://xn--wgv71a119e.jp/"),
    ("http://例え.テスト/写真.png", "http://xn--r8jz45g.xn--zckzah/%E5%86%99%E7%9C%9F.png"),
    ("http://пример.рф/", "http://xn--e1afmkfd.xn--p1ai/"),
    ("http://ПРИМЕР.РФ/", "http://xn--e1afmkfd.xn--p1ai/"),
    ("http://한국.kr/", "http://xn--3e0b707e.kr/"),
    ("http://中国.example/", "http://xn--fiqs8s.example/"),
    ("http://☃.net/", "http://xn--n3h.net/"),
    ("http://ａ.example/", "http://a.example/"),
    ("http://ＥＸＡＭＰＬＥ．com/", "http://example.com/"),
    ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
    ("http://%62%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
    ("http://ex%41mple.com/", "http://example.com/"),
    ("http://soft\u{ad}hyphen.example/", "http://softhyphen.example/"),
    ("http://café.fr:8080/é?é", "http://xn--caf-dma.fr:8080/%C3%A9?%C3%A9"),
  ])

  private static let numericHosts = rows([
    ("http://127.0.0.1/", "http://127.0.0.1/"),
    ("http://127.1/", "http://127.0.0.1/"),
    ("http://127.0.1/", "http://127.0.0.1/"),
    ("http://2130706433/", "http://127.0.0.1/"),
    ("http://0x7f000001/", "http://127.0.0.1/"),
    ("http://0X7F.1/", "http://127.0.0.1/"),
    ("http://0x7f.0x0.0x0.0x1/", "http://127.0.0.1/"),
    ("http://0177.0.0.1/", "http://127.0.0.1/"),
    ("http://0177.1/", "http://127.0.0.1/"),
    ("http://017700000001/", "http://127.0.0.1/"),
    ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/"),
    ("http://0/", "http://0.0.0.0/"),
    ("http://4294967295/", "http://255.255.255.255/"),
    ("http://192.168.257/", "http://192.168.1.1/"),
    ("http://１２７.0.0.1/", "http://127.0.0.1/"),
    ("http://１２７.１/", "http://127.0.0.1/"),
    ("http://127。0。0。1/", "http://127.0.0.1/"),
    ("http://%31%32%37.0.0.1/", "http://127.0.0.1/"),
    ("http://0x7f%2e1/", "http://127.0.0.1/"),
    ("http://[::1]/", "http://[::1]/"),
    ("http://[::1]:80/", "http://[::1]/"),
    ("http://[::1]:8080/", "http://[::1]:8080/"),
    ("http://[2001:DB8:0:0:0:0:0:1]/", "http://[2001:db8::1]/"),
    ("http://[::ffff:7f00:1]/", "http://[::ffff:7f00:1]/"),
    ("http://[::ffff:127.0.0.1]/", "http://[::ffff:127.0.0.1]/"),
  ])

  private static let paths = rows([
    ("http://a.example/a b", "http://a.example/a%20b"),
    ("http://a.example/a%20b", "http://a.example/a%20b"),
    ("http://a.example/é", "http://a.example/%C3%A9"),
    ("http://a.example/%c3%a9", "http://a.example/%c3%a9"),
    ("http://a.example/100%", "http://a.example/100%"),
    ("http://a.example/%zz", "http://a.example/%zz"),
    ("http://a.example/%2F..%2f", "http://a.example/%2F..%2f"),
    (
      "http://a.example/写真/図.png?大きさ=1",
      "http://a.example/%E5%86%99%E7%9C%9F/%E5%9B%B3.png?%E5%A4%A7%E3%81%8D%E3%81%95=1"
    ),
    ("http://a.example/😀", "http://a.example/%F0%9F%98%80"),
    ("http://a.example/a/../b", "http://a.example/b"),
    ("http://a.example/a/./b", "http://a.example/a/b"),
    ("http://a.example/../../b", "http://a.example/b"),
    ("http://a.example/a/..", "http://a.example/"),
    ("http://a.example/a/.", "http://a.example/a/"),
    ("http://a.example/a/%2e%2E/b", "http://a.example/b"),
    ("http://a.example/a/.%2e/b", "http://a.example/b"),
    ("http://a.example/a/%2e/b", "http://a.example/a/b"),
    ("http://a.example/a\\..\\b", "http://a.example/b"),
    ("http://a.example//a//b", "http://a.example//a//b"),
    ("http://a.example/a;b=c,d", "http://a.example/a;b=c,d"),
    ("http://a.example/[a]|b", "http://a.example/[a]|b"),
    ("http://a.example/<a>\"{b}`", "http://a.example/%3Ca%3E%22%7Bb%7D%60"),
    ("http://a.example/a'b", "http://a.example/a'b"),
    ("http://a.example/?a b", "http://a.example/?a%20b"),
    ("http://a.example/?a+b%20c", "http://a.example/?a+b%20c"),
    ("http://a.example/?é=ü", "http://a.example/?%C3%A9=%C3%BC"),
    ("http://a.example/?<a>\"'", "http://a.example/?%3Ca%3E%22%27"),
    ("http://a.example/?a/../b", "http://a.example/?a/../b"),
    ("http://a.example/?a\\b", "http://a.example/?a\\b"),
    ("http://a.example/?a?b", "http://a.example/?a?b"),
    ("http://a.example/?url=http://b.example/", "http://a.example/?url=http://b.example/"),
    ("http://a.example/http://b.example/", "http://a.example/http://b.example/"),
    ("http://a.example/a:b@c", "http://a.example/a:b@c"),
    ("http://a.example/a\u{0}b", "http://a.example/a%00b"),
    ("http://a.example/a\u{7f}b", "http://a.example/a%7Fb"),
  ])

  static let refused: [String] = [
    "", " ", "a", "/a", "//a.example/", "a.example", "a.example/x", "www.a.example",
    "://a.example", "http", "http:", "http:/", "http://", "http:///", "http://?q", "http://#f",
    "ftp://a.example/", "file:///etc/passwd", "gopher://a.example/", "javascript:alert(1)",
    "data:image/png;base64,AAAA", "about:blank", "blob:http://a.example/x", "ws://a.example/",
    "mailto:a@a.example", "scp://a.example/", "dict://a.example:11211/", "httpx://a.example/",
    "http+unix://a/", "C:\\a.png", "smb://a/b",
    "http://user@a.example/", "http://user:password@a.example/", "http://@a.example/",
    "http://:@a.example/", "http://a.example@b.example/", "http://a.example:80@b.example/",
    "http://a@b@c.example/", "http:\\\\user@a.example", "http://a%40b.example/",
    "http://a.example:65536/", "http://a.example:99999999999/", "http://a.example:-1/",
    "http://a.example:8a/", "http://a.example:0/", "http://a.example:25/", "http://a.example:22/x",
    "http://a.example:80:80/", "http://a.example: 80/",
    "http://a b/", "http://a%20b/", "http://a%00.example/", "http://a\u{0}b.example/",
    "http://a%2fb.example/", "http://a%3a80.example/", "http://a<b/", "http://a>b/", "http://a^b/",
    "http://a|b/", "http://a`b/", "http://a{b/", "http://a\"b/", "http://a,b/", "http://a;b/",
    "http://*/", "http://a..example/", "http://.a.example/", "http://./", "http://../",
    "http://\u{ad}/", "http://a／b.example/", "http://a：80/", "http://a％41.example/",
    "http://256.256.256.256/", "http://1.2.3.4.5/", "http://4294967296/", "http://0x100000000/",
    "http://1.2.3.256/", "http://1.2.3.4x5.6/", "http://a.1/", "http://a.0x1/",
    "http://[::1/", "http://::1/", "http://[]/", "http://[1:2:3]/", "http://[::g]/",
    "http://[::1]a/", "http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/", "http://[127.0.0.1]/",
    "http://[v1.a]/", "http://[::1.2.3.256]/",
  ]

  private static let page = "http://a.example/b/c/d.html?q#f"

  static let references: [Reference] = [
    (page, "e.png", "http://a.example/b/c/e.png"),
    (page, "./e.png", "http://a.example/b/c/e.png"),
    (page, "../e.png", "http://a.example/b/e.png"),
    (page, "../../../e.png", "http://a.example/e.png"),
    (page, "..", "http://a.example/b/"),
    (page, ".", "http://a.example/b/c/"),
    (page, "/e.png", "http://a.example/e.png"),
    (page, "\\e.png", "http://a.example/e.png"),
    (page, "//b.example/e.png", "http://b.example/e.png"),
    (page, "\\\\b.example\\e.png", "http://b.example/e.png"),
    (page, "///b.example/e.png", "http://b.example/e.png"),
    ("https://a.example/x", "//b.example/e.png", "https://b.example/e.png"),
    (page, "//bücher.example/é", "http://xn--bcher-kva.example/%C3%A9"),
    (page, "?r", "http://a.example/b/c/d.html?r"),
    (page, "#g", "http://a.example/b/c/d.html?q"),
    (page, "", "http://a.example/b/c/d.html?q"),
    (page, " e.png ", "http://a.example/b/c/e.png"),
    (page, "e\n.png", "http://a.example/b/c/e.png"),
    (page, "é é.png", "http://a.example/b/c/%C3%A9%20%C3%A9.png"),
    (page, "e.png?w=1&h=2", "http://a.example/b/c/e.png?w=1&h=2"),
    (page, "e.png?u=http://x/y", "http://a.example/b/c/e.png?u=http://x/y"),
    (page, "e/%2e%2e/f.png", "http://a.example/b/c/f.png"),
    (page, "https://b.example/e", "https://b.example/e"),
    (page, "http:e.png", "http://a.example/b/c/e.png"),
    (page, "http:/e.png", "http://a.example/e.png"),
    (page, "https:b.example/e", "https://b.example/e"),
    (page, "1:2", "http://a.example/b/c/1:2"),
    (page, "./a:b", "http://a.example/b/c/a:b"),
    (page, "/a:b", "http://a.example/a:b"),
    (page, "@b.example/x", "http://a.example/b/c/@b.example/x"),
    ("http://a.example", "e.png", "http://a.example/e.png"),
    ("http://a.example?q", "e.png", "http://a.example/e.png"),
    ("http://a.example/?x=/y/", "e.png", "http://a.example/e.png"),
    (page, "javascript:alert(1)", nil), (page, "data:,x", nil), (page, "ftp://b.example/e", nil),
    (page, "//user@b.example/e", nil), (page, "//", nil), (page, "//b.example:25/", nil),
    (page, "file:///etc/passwd", nil), (page, "a:b", nil),
  ].map { Reference(base: $0.0, reference: $0.1, expected: $0.2) }
}
