import Media
import TestSupport
import Testing

/// Files nobody here wrote, named by another project's sniffer.
@Suite(.enabled(if: Corpus.shared != nil, "no ../shared/corpus here")) struct CorpusSniffingTests {
  /// Where the catalogue and this sniffer differ, and why.
  static let differences: [String: (format: MediaFormat, reason: String)] = [
    "files/file-type/fixture/fixture.mpg": (
      .mpeg, "an MPEG-1 video elementary stream; the catalogue has no name for it"
    ),
    "files/mp4ff/mp4/testdata/2xSencNoMdat.mp4": (
      .mp4, "begins with moof: fragments exist in ISO files only, QuickTime has none"
    ),
    "files/mp4ff/mp4/testdata/seg_cenc_no_seig.m4v": (.mp4, "begins with sidx: the same"),
    "files/small/dolphin.dol": (.unknown, "a program whose zeros resemble an icon of 0 entries"),
    "files/small/targa.tga": (.unknown, "Targa whose header resembles a cursor of 0 entries"),
  ]

  /// The format that the catalogue's name stands for; nil where it names none of ours.
  static func expectation(of entry: Corpus.Entry) -> MediaFormat? {
    switch entry.format {
    case "cur": .ico
    case "mng": .unknown
    default: MediaFormat(rawValue: entry.format)
    }
  }

  @Test func `Each file is named as the catalogue names it, or for a reason`() throws {
    for entry in Corpus.files() {
      let format = MediaFormat.sniff(try FileBytes.head(of: entry.path))
      if let difference = Self.differences[entry.name] {
        #expect(format == difference.format, "\(entry.name): \(difference.reason)")
      } else if let expected = Self.expectation(of: entry) {
        #expect(format == expected, "\(entry.name)")
      } else {
        #expect(format.kind == nil, "\(entry.name)")
      }
    }
  }

  @Test func `The first kilobyte decides as well as the first four`() throws {
    for entry in Corpus.files() where Self.expectation(of: entry) != nil {
      let head = try FileBytes.head(of: entry.path)
      let short = MediaFormat.sniff(Array(head.prefix(1024)))
      #expect(short == MediaFormat.sniff(head), "\(entry.name)")
    }
  }

  @Test func `Every prefix of a real head is sniffed`() throws {
    for format in MediaFormat.allCases {
      for entry in Corpus.files(format: format.rawValue).prefix(3) {
        let head = try FileBytes.head(of: entry.path, count: 700)
        for length in 0...head.count {
          let prefix = Array(head.prefix(length))
          _ = MediaFormat.sniff(prefix).announcesAnimation(prefix)
        }
      }
    }
  }

  @Test func `Animations are told from stills where the catalogue counts frames`() throws {
    for entry in Corpus.files(category: "ok") {
      guard let frames = entry.frames, ["png", "webp"].contains(entry.format) else { continue }
      let head = try FileBytes.head(of: entry.path, count: 65_536)
      let hint = MediaFormat.sniff(head).announcesAnimation(head)
      #expect(hint == (frames > 1) || hint == nil, "\(entry.name): \(frames)")
    }
  }
}
