internal import Imaging

/// A transport stream (ISO/IEC 13818-1 §2.4), of which the packets of film and sound stay, with the
/// tables that lead to them: others, of services, events, texts and data, become empty ones.
struct TransportStream {
  private let size: Int
  private var window: SourceWindow
  private let form: Form
  private let sounds: Set<Int>
  private var maps: Set<Int> = []
  private var streams: [Int: ProgramMap.Kind] = [:]
  private var clocks: Set<Int> = []
  private var films: [Int: VideoTexts] = [:]

  private static let packetBytes = 188
  private static let emptyNumber = 0x1FFF

  /// `sounds` are numbers of packets that hold sound, whatever the tables say. Fails where packets do
  /// not follow each other.
  init(_ file: SourceFile, sounds: Set<Int>) throws(DecodeFailure) {
    self.sounds = sounds
    size = file.size
    window = SourceWindow(file)
    let head = try file.bytes(at: 0, count: min(file.size, 1024))
    guard let form = Form.all.first(where: { $0.fits(head) }) else {
      throw .corrupt("the mpeg file has no form that is known")
    }
    self.form = form
  }

  /// Packets of 188 bytes, with a time before each (Blu-ray), or check bytes behind it.
  private struct Form {
    let first: Int
    let stride: Int

    static let all = [(0, 188), (4, 192), (0, 204)].map { Form(first: $0.0, stride: $0.1) }

    func fits(_ head: [UInt8]) -> Bool {
      let places = Swift.stride(from: first, to: head.count, by: stride)
      return head.count > first + stride && places.allSatisfy { head[$0] == 0x47 }
    }
  }

  mutating func clean(_ patches: inout FilePatches) throws(DecodeFailure) {
    try readTables(&patches)
    guard !streams.isEmpty else { throw .corrupt("the transport stream does not tell its streams") }
    try forEachPacket(skipping: { (walk, gap) throws(DecodeFailure) in
      try patches.erase(gap, in: &walk.window)
    }) { (walk, packet) throws(DecodeFailure) in
      try walk.clean(packet, &patches)
    }
    for var film in films.values { film.end(patches: &patches) }
  }

  /// Goes through all packets, and tells what lies between them.
  private mutating func forEachPacket(
    skipping: (inout TransportStream, Range<Int>) throws(DecodeFailure) -> Void,
    _ body: (inout TransportStream, TransportPacket) throws(DecodeFailure) -> Void
  ) throws(DecodeFailure) {
    var offset = form.first
    while offset + Self.packetBytes <= size {
      let bytes = try window.bytes(at: offset, count: Self.packetBytes)
      guard let packet = TransportPacket(bytes, at: offset) else {
        let next = try placeToGoOn(after: offset)
        try skipping(&self, offset..<next)
        offset = next
        continue
      }
      try body(&self, packet)
      offset += form.stride
    }
    if offset < size { try skipping(&self, offset..<size) }
  }

  private mutating func placeToGoOn(after offset: Int) throws(DecodeFailure) -> Int {
    var place = offset + 1
    while place < size {
      if try window.bigEndian(at: place, bytes: 1) == 0x47 {
        let next = try window.bigEndian(at: place + form.stride, bytes: 1)
        if next == 0x47 || next == nil && place + Self.packetBytes <= size { return place }
      }
      place += 1
    }
    return size
  }

  /// Learns which packets hold sound and film, and puts tables without anything else in the place of
  /// those that tell it.
  private mutating func readTables(_ patches: inout FilePatches) throws(DecodeFailure) {
    var sections: [Int: TransportSection] = [:]
    try forEachPacket(skipping: { (_, _) in }) { (walk, packet) in
      let number = packet.number
      guard number == 0 || walk.maps.contains(number) else { return }
      sections[number, default: TransportSection()].take(packet)
      guard let section = sections[number], let bytes = section.whole else { return }
      sections[number] = nil
      if number == 0 {
        walk.maps.formUnion(TransportSection.maps(bytes))
        section.put(bytes, &patches)
      } else if let map = ProgramMap(bytes, sounds: walk.sounds) {
        walk.streams.merge(map.streams) { $1 }
        walk.clocks.insert(map.clock)
        section.put(map.section, &patches)
      } else {
        section.put([], &patches)
      }
    }
  }

  private mutating func clean(
    _ packet: TransportPacket, _ patches: inout FilePatches
  ) throws(DecodeFailure) {
    let number = packet.number
    guard number != 0, !maps.contains(number) else { return }
    if let data = packet.privateData { try patches.erase(data, in: &window, with: 0xFF) }
    switch streams[number] {
    case .sound: return
    case .film:
      var start = packet.payload.lowerBound
      if packet.begins { start += PacketHeader.length(Array(packet.bytes)) ?? 0 }
      guard start < packet.payload.upperBound else { return }
      films[number, default: VideoTexts()].take(
        packet.bytes.dropFirst(start - packet.payload.lowerBound), at: start, patches: &patches)
    case nil where clocks.contains(number) || number == Self.emptyNumber:
      try patches.erase(packet.payload, in: &window, with: 0xFF)
    case nil:
      patches.put([0x47, 0x1F, 0xFF, 0x10], at: packet.offset)
      patches.fill(packet.offset + 4..<packet.offset + Self.packetBytes, with: 0xFF)
    }
  }
}

/// One packet of a transport stream (ISO/IEC 13818-1 §2.4.3.2).
struct TransportPacket {
  let offset: Int
  /// Which stream or table it belongs to.
  let number: Int
  /// Whether a section or a packet of the stream begins in it.
  let begins: Bool
  /// In the file.
  let payload: Range<Int>
  let bytes: ArraySlice<UInt8>
  /// What its adaptation field holds for private use, in the file.
  let privateData: Range<Int>?

  /// Nil where no packet begins.
  init?(_ packet: ArraySlice<UInt8>, at offset: Int) {
    let packet = Array(packet)
    guard packet.count == 188, packet[0] == 0x47 else { return nil }
    self.offset = offset
    number = Int(packet[1] & 0x1F) << 8 | Int(packet[2])
    begins = packet[1] & 0x40 != 0
    let adaptation = packet[3] & 0x20 == 0 ? 0 : 1 + Int(packet[4])
    let start = packet[3] & 0x10 == 0 ? 188 : min(188, 4 + adaptation)
    payload = offset + start..<offset + 188
    bytes = packet[start...]
    privateData = Self.privateData(packet, length: adaptation, at: offset)
  }

  private static func privateData(_ packet: [UInt8], length: Int, at offset: Int) -> Range<Int>? {
    guard length > 1, packet[5] & 0x02 != 0 else { return nil }
    let flags = packet[5]
    let place =
      6 + (flags & 0x10 == 0 ? 0 : 6) + (flags & 0x08 == 0 ? 0 : 6) + (flags & 0x04 == 0 ? 0 : 1)
    let end = min(188, 4 + length)
    guard place < end else { return nil }
    return offset + place + 1..<offset + max(place + 1, min(end, place + 1 + Int(packet[place])))
  }
}

/// A table's section on its way through packets (ISO/IEC 13818-1 §2.4.4).
struct TransportSection {
  private var bytes: [UInt8] = []
  /// Where they lie, and what follows them in their packets.
  private var places: [Range<Int>] = []

  mutating func take(_ packet: TransportPacket) {
    guard let first = packet.bytes.first else { return }
    if packet.begins {
      let start = min(packet.bytes.count, 1 + Int(first))
      (bytes, places) = ([], [])
      append(packet, from: start)
    } else if !bytes.isEmpty {
      append(packet, from: 0)
    }
  }

  private mutating func append(_ packet: TransportPacket, from start: Int) {
    bytes += packet.bytes.dropFirst(start)
    places.append(packet.payload.lowerBound + start..<packet.payload.upperBound)
  }

  /// The section, once all of it has come.
  var whole: [UInt8]? {
    guard bytes.count >= 3 else { return nil }
    let length = 3 + (Int(bytes[1] & 0x0F) << 8 | Int(bytes[2]))
    return bytes.count >= length ? Array(bytes[..<length]) : nil
  }

  /// Puts another section, no longer than this, in its place, and stuffing behind it.
  func put(_ section: [UInt8], _ patches: inout FilePatches) {
    let stuffed = section + [UInt8](repeating: 0xFF, count: max(0, bytes.count - section.count))
    guard stuffed != bytes else { return }
    var done = 0
    for place in places {
      patches.put(Array(stuffed[done..<done + place.count]), at: place.lowerBound)
      done += place.count
    }
  }

  /// Where the maps of programs are, by the table that lists them (§2.4.4.3).
  static func maps(_ section: [UInt8]) -> [Int] {
    guard section.count >= 12, section[0] == 0 else { return [] }
    return stride(from: 8, to: section.count - 7, by: 4).compactMap { place in
      let program = Int(section[place]) << 8 | Int(section[place + 1])
      let number = Int(section[place + 2]) << 8 | Int(section[place + 3])
      return program == 0 ? nil : number & 0x1FFF
    }
  }
}
