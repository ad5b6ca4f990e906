/// A character encoding of the WHATWG Encoding Standard; raw values are the names of the converter
/// in glibc's iconv that comes closest to what browsers do.
enum Charset: String, Sendable, CaseIterable {
  case utf8 = "UTF-8"
  case utf16BE = "UTF-16BE"
  case utf16LE = "UTF-16LE"
  case ibm866 = "IBM866"
  case latin2 = "ISO-8859-2"
  case latin3 = "ISO-8859-3"
  case latin4 = "ISO-8859-4"
  case isoCyrillic = "ISO-8859-5"
  case isoArabic = "ISO-8859-6"
  case isoGreek = "ISO-8859-7"
  case isoHebrew = "ISO-8859-8"
  case latin6 = "ISO-8859-10"
  case latin7 = "ISO-8859-13"
  case latin8 = "ISO-8859-14"
  case latin9 = "ISO-8859-15"
  case latin10 = "ISO-8859-16"
  case koi8R = "KOI8-R"
  case koi8U = "KOI8-U"
  case macintosh = "MACINTOSH"
  case macCyrillic = "MAC-CYRILLIC"
  case thai = "CP874"
  case windows1250 = "CP1250"
  case windows1251 = "CP1251"
  case windows1252 = "CP1252"
  case windows1253 = "CP1253"
  case windows1254 = "CP1254"
  case windows1255 = "CP1255"
  case windows1256 = "CP1256"
  case windows1257 = "CP1257"
  case windows1258 = "CP1258"
  /// Takes in GB 2312 and GBK.
  case gb18030 = "GB18030"
  case big5 = "BIG5-HKSCS"
  case eucJP = "EUC-JP-MS"
  case iso2022JP = "ISO-2022-JP"
  /// Shift_JIS with NEC's and IBM's characters.
  case shiftJIS = "CP932"
  /// EUC-KR with the other 8,822 Hangul syllables (UHC).
  case eucKR = "CP949"

  /// Whether iconv is needed for it.
  var isConvertedByLibrary: Bool {
    switch self {
    case .utf8, .utf16BE, .utf16LE: false
    default: true
    }
  }
}
