import Media

extension PageCase {
  /// Pages in the encodings that are in use.
  static let charsets = [
    PageCase(
      "euc-kr", "declared in the page", title: "서울의 봄 - 뉴스", publisher: "한겨레",
      .init(.openGraph, "/사진/봄.jpg", altText: "벚꽃이 핀 거리")),
    PageCase(
      "euc-kr-by-answer", "declared in the answer", contentType: "text/html;charset=EUC-KR",
      title: "서울의 봄 - 뉴스", publisher: "한겨레",
      .init(.openGraph, "/사진/봄.jpg", altText: "벚꽃이 핀 거리")),
    PageCase(
      "euc-kr-legacy-label", "syllables beyond EUC-KR under one of its labels",
      title: "똠방각하 펲시콜라"),
    PageCase(
      "euc-kr-linked", "JSON-LD in EUC-KR", publisher: "연합뉴스", .init(.linkedData, "/한강.jpg")),
    PageCase("euc-kr-image", "alt text in EUC-KR", .init(.element, "/a.jpg", altText: "남산 타워")),
    PageCase(
      "shift-jis", "NEC's and IBM's characters, and a second byte that is a backslash",
      title: "東京の天気①髙島屋", publisher: "毎日新聞", .init(.openGraph, "/画像/ソ表.jpg")),
    PageCase(
      "shift-jis-by-answer", "declared in the answer by another label",
      contentType: "text/html; charset=x-sjis", title: "東京の天気①髙島屋", publisher: "毎日新聞",
      .init(.openGraph, "/画像/ソ表.jpg")),
    PageCase("euc-jp", "http-equiv", title: "大阪の祭り", publisher: "祭り案内"),
    PageCase(
      "iso-2022-jp", "an encoding with states", title: "京都の秋", .init(.openGraph, "/aki.jpg")),
    PageCase("gb18030", "two and four bytes", title: "上海的早晨 €㐀", publisher: "人民日报"),
    PageCase("gb2312", "GBK's characters under the older label", title: "朱镕基与喆"),
    PageCase("big5", "traditional characters", title: "臺北的夜市", publisher: "聯合報"),
    PageCase("windows-1251", "Cyrillic", title: "Москва сегодня", publisher: "«Вестник»"),
    PageCase("koi8-r", "Cyrillic of mail and news", title: "Новости"),
    PageCase("windows-1250", "Central European", title: "Příliš žluťoučký kůň"),
    PageCase(
      "utf-16-little", "by its mark", title: "가나다 🌸", .init(.openGraph, "/le.jpg")),
    PageCase("utf-16-big", "by its mark", title: "日本語", .init(.openGraph, "/be.jpg")),
    PageCase("utf-8-mark", "a mark goes before a wrong declaration", title: "표시가 먼저"),
    PageCase("latin-undeclared", "windows-1252 where it is no UTF-8", title: "Café “crème” – 5 €"),
    PageCase(
      "unknown-charset", "noted, and read as UTF-8", title: "Grüße",
      problems: [.unsupportedCharset]),
    PageCase(
      "wrong-charset", "bytes without meaning are replaced, nothing is lost beside them",
      title: "abc\u{FFFD}def"),
  ]
}
