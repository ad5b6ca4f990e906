import Foundation
import Glibc
import Media
import Pipeline
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PayloadFuzzTests {
  static let mutations =
    ProcessInfo.processInfo.environment["WIREPHOTO_TEST_MUTATIONS"].flatMap(Int.init) ?? 2000

  static var drafts: [[String: Any]] {
    [
      ["id": 1, "sentence": "A sentence — 한글 😀", "type": "t", "comments": ["c", ["x": 1]]],
      ["id": "2", "sentence": "Another", "url": "https://example.org/b", "isDraft": true],
    ]
  }
  static var dictionary: [String: Any] {
    [
      "title": "A title", "url": "https://example.org/a?b=c#d",
      "imageURL": "//cdn.example.org/i.jpg",
      "mediaCompany": "Company", "drafts": drafts, "id": "article 7", "ttlSeconds": 12.5,
      "imageURLs": ["a", "b"], "profiles": ["iphone"], "categoryIdentifier": "c",
    ]
  }

  enum Kind: String, CaseIterable, Sendable {
    case json, wrapped, items, xml, binary, webloc, url, txt
  }

  static func seed(_ kind: Kind) throws -> [UInt8] {
    let wrapped = ["NSExtensionJavaScriptPreprocessingResultsKey": dictionary]
    let items = [
      "items": [
        ["type": "public.url", "value": "https://example.org/"],
        ["type": "com.apple.property-list", "value": wrapped],
      ]
    ]
    switch kind {
    case .json: return [UInt8](try JSONSerialization.data(withJSONObject: dictionary))
    case .wrapped: return [UInt8](try JSONSerialization.data(withJSONObject: wrapped))
    case .items: return [UInt8](try JSONSerialization.data(withJSONObject: items))
    case .xml: return try PropertyListTests.encode(dictionary, .xml)
    case .binary: return try PropertyListTests.encode(dictionary, .binary)
    case .webloc: return try PropertyListTests.encode(["URL": "https://example.org/a"], .binary)
    case .url: return Array("[InternetShortcut]\r\nURL=https://example.org/a\r\n".utf8)
    case .txt: return Array("\u{FEFF} https://example.org/a\r\n".utf8)
    }
  }

  @Test(
    "Mutated payloads crash nothing, and a readable one keeps its drafts", arguments: Kind.allCases)
  func mutated(kind: Kind) throws {
    let seed = try Self.seed(kind)
    _ = try Payload.read(seed, fileExtension: kind.rawValue)
    var random = SplitMix64(state: UInt64(kind.rawValue.utf8.reduce(0) { $0 * 31 + Int($1) }))
    var readable = 0
    var cost = PayloadCost()
    defer { print("Payloads, \(Self.mutations) mutations of \(kind.rawValue): \(cost)") }
    for _ in 0..<Self.mutations {
      let bytes = random.mutation(of: seed)
      let fileExtension = kind.rawValue
      let payload = cost.measure { try? Payload.read(bytes, fileExtension: fileExtension) }
      guard let payload else { continue }
      readable += 1
      let push = PushPayload(Self.manifest(payload)).fitted().bytes
      #expect(push.count <= PushPayload.mostBytes)
      #expect(throws: Never.self) { try JSONReader.read(push) }
      if kind == .json, let written = try JSONReader.read(bytes).object?["drafts"] {
        #expect(payload.drafts == written)
      }
      let json = JSONWriter.write(Self.manifest(payload).json)
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json)) }
    }
    #expect(readable > 0)
    // A bound that a loaded machine keeps as well; the figures are printed.
    #expect(cost.longest < .seconds(1))
    #expect(cost.growth < 128_000_000)
  }

  static func manifest(_ payload: Payload) -> Manifest {
    let now = Timestamp(milliseconds: 0)
    return Manifest(
      id: payload.id.flatMap { JobIdentifier($0) }?.text ?? "x", status: .textOnly,
      notification: .init(payload), problems: payload.notes,
      timing: .init(arrived: now, deadline: now, finished: now))
  }
}

/// The processor time of the thread, and by how much the process's largest memory grew.
struct PayloadCost: CustomStringConvertible {
  private(set) var longest = Duration.zero
  private var total = Duration.zero
  private var runs = 0
  private let memoryBefore = Self.largestMemory

  mutating func measure<Value>(_ body: () -> Value) -> Value {
    let start = Self.processorTime
    let value = body()
    let taken = Self.processorTime - start
    longest = max(longest, taken)
    total += taken
    runs += 1
    return value
  }

  /// Bytes.
  var growth: Int { Self.largestMemory - memoryBefore }

  var description: String {
    "at most \(longest), \(total / max(1, runs)) in the mean, memory grew by \(growth) bytes"
  }

  private static var processorTime: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private static var largestMemory: Int {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
  }
}

/// Steele, Lea and Flood's generator: the same numbers on every run.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// One to four changes: a bit, a byte, a piece removed, doubled or moved, an end cut off.
  mutating func mutation(of seed: [UInt8]) -> [UInt8] {
    var bytes = seed
    for _ in 0..<Int.random(in: 1...4, using: &self) {
      guard !bytes.isEmpty else { return bytes }
      let place = Int.random(in: 0..<bytes.count, using: &self)
      let length = Int.random(in: 0...min(16, bytes.count - place), using: &self)
      let piece = Array(bytes[place..<(place + length)])
      switch Int.random(in: 0..<7, using: &self) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
      case 1:
        bytes[place] =
          [0, 0xFF, 0x7F, 0x80, 0x22, 0x7B, 0x5B, 0x3C].randomElement(using: &self) ?? 0
      case 2: bytes.removeSubrange(place..<(place + length))
      case 3: bytes.insert(contentsOf: piece, at: place)
      case 4: bytes.insert(contentsOf: piece, at: Int.random(in: 0..<bytes.count, using: &self))
      case 5: bytes.removeSubrange(place...)
      default: bytes[place] = UInt8.random(in: .min ... .max, using: &self)
      }
    }
    return bytes
  }
}
