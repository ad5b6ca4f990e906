internal import Imaging
internal import Media

/// Looks for the frame that stands for a film: neither black nor blurred.
///
/// Key frames near a tenth of the film and at a few other places are compared, the first with an
/// advantage. Where none of them tells anything, or none can be reached, frames are decoded from the
/// beginning on.
struct PosterSearch: ~Copyable {
  private let demuxer: Demuxer
  private let decoder: StreamDecoder
  private let packet: Packet
  private let streamIndex: Int
  private let deadline: ContinuousClock.Instant
  private var best: FilmFrame?
  private var bestValue = -1.0
  private var isTelling = false
  /// Whether the time limit is shorter than usual, since the answer must come soon.
  private let isPressed: Bool
  /// Whether more time would have shown more frames.
  private(set) var wasHurried = false

  /// Shares of the duration, the preferred first.
  private static let places = [0.1, 0.25, 0.5, 0.75, 0.04]
  /// What the value of a preferred key frame is multiplied by.
  private static let advantage = 1.15
  /// Packets that are looked through for one key frame.
  private static let packetsPerPlace = 3000
  private static let framesFromStart = 1500
  /// Of the frames from the beginning, every how many are judged.
  private static let framesPerLook = 6
  private static let timeLimit = Duration.seconds(8)

  /// `time` is what the whole answer may take: half of it is for the search.
  init(
    _ demuxer: consuming Demuxer, _ decoder: consuming StreamDecoder, streamIndex: Int,
    time: Duration?
  ) throws(DecodeFailure) {
    packet = try Packet.allocate()
    self.demuxer = demuxer
    self.decoder = decoder
    self.streamIndex = streamIndex
    let limit = min(Self.timeLimit, time.map { $0 / 2 } ?? Self.timeLimit)
    deadline = .now + limit
    isPressed = limit < Self.timeLimit
    best = nil
  }

  private var isLate: Bool { ContinuousClock.now > deadline }

  /// When the frame is shown, in seconds from the film's start.
  func seconds(of frame: borrowing FilmFrame) -> Double? {
    frame.time.flatMap { demuxer.seconds($0, ofStream: streamIndex) }
  }

  /// The most telling frame that was found; fails where not one can be decoded.
  mutating func run() throws(DecodeFailure) -> FilmFrame {
    demuxer.select([streamIndex])
    if let duration = demuxer.durationSeconds, duration > 0 {
      for (index, place) in Self.places.enumerated() where index == 0 || hasTime() {
        lookAtKeyFrame(seconds: duration * place, factor: index == 0 ? Self.advantage : 1)
      }
    }
    if !isTelling { lookFromStart() }
    guard let found = best.take() else {
      throw .truncated("not one frame of the film could be decoded")
    }
    return found
  }

  /// Whether another frame may be looked at.
  private mutating func hasTime() -> Bool {
    if isLate, isPressed { wasHurried = true }
    return !isLate
  }

  /// Judges the key frame before a time. What is damaged there leaves the search to other places.
  private mutating func lookAtKeyFrame(seconds: Double, factor: Double) {
    guard demuxer.seek(to: seconds) else { return }
    decoder.restart()
    do throws(DecodeFailure) {
      for _ in 0..<Self.packetsPerPlace {
        guard try demuxer.read(into: packet) else { return }
        guard packet.streamIndex == streamIndex, packet.isKey, !packet.isDamaged else { continue }
        try decoder.send(packet)
        decoder.end()
        let frame = try FilmFrame.allocate()
        if try decoder.receive(into: frame) {
          try judge(frame, factor: factor)
          return
        }
        decoder.restart()
      }
    } catch {
      return
    }
  }

  /// Judges frames as they come; damage is passed over, since decoders go on behind it.
  private mutating func lookFromStart() {
    guard demuxer.rewind() || best == nil else { return }
    decoder.restart()
    var (frames, faults) = (0, 0)
    while frames < Self.framesFromStart, faults < Self.framesFromStart, !isTelling,
      hasTime() || best == nil
    {
      do throws(DecodeFailure) {
        let isMore = try demuxer.read(into: packet)
        if isMore {
          guard packet.streamIndex == streamIndex else { continue }
          try decoder.send(packet)
        } else {
          decoder.end()
        }
        frames += try takeFrames(after: frames)
        if !isMore { return }
      } catch {
        faults += 1
      }
    }
  }

  /// Takes what the decoder has finished and judges some of it: how many frames there were.
  private mutating func takeFrames(after known: Int) throws(DecodeFailure) -> Int {
    var count = 0
    while true {
      let frame = try FilmFrame.allocate()
      guard try decoder.receive(into: frame) else { return count }
      if (known + count) % Self.framesPerLook == 0 { try judge(frame, factor: 1) }
      count += 1
    }
  }

  private mutating func judge(
    _ frame: consuming FilmFrame, factor: Double
  ) throws(DecodeFailure) {
    let score = try FrameScore(frame)
    let value = score.value * factor
    guard value > bestValue else { return }
    best = consume frame
    bestValue = value
    isTelling = score.isTelling
  }
}
