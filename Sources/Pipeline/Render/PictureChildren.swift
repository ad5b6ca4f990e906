package import Files
internal import Glibc
package import Media
package import Sandbox

/// The decoders, as the rest of the pipeline sees them: a picture goes in by its descriptor,
/// renditions come out in sealed memory.
package struct PictureChildren: Sendable {
  /// The layers of isolation that hold.
  package struct Confinement: Sendable, Hashable {
    /// Whether file system, network, exec and memory are each denied by one of them.
    package let isSufficient: Bool
    package let description: String
  }

  let supervisor: ChildSupervisor
  let slots: DecodeSlots
  /// What decoding takes, by what it took.
  package let meter = DecodeMeter()
  private let requiresSandbox: Bool

  /// Children beside the running executable, as the options have them.
  package init(_ options: DecoderOptions) throws(SystemCallFailure) {
    let waiting = options.waiting
    supervisor = try ChildSupervisor(
      ChildConfiguration(
        mode: options.requiresSandbox ? .required : .bestEffort,
        waiting: [.image: waiting, .heif: min(waiting, 1), .page: min(waiting, 1)],
        maxChildren: options.parallel + 2 * waiting + 3))
    slots = DecodeSlots(count: options.parallel)
    requiresSandbox = options.requiresSandbox
  }

  /// The same, a failure told as that of the decoders.
  package static func opening(
    _ options: DecoderOptions
  ) throws(UnusableDecoders) -> PictureChildren {
    do throws(SystemCallFailure) {
      return try PictureChildren(options)
    } catch {
      throw UnusableDecoders(reason: "decoders cannot start: \(error)")
    }
  }

  /// The child that reads a format; nil where none does.
  package static func family(of format: MediaFormat) -> ChildFamily? {
    switch format {
    case .jpeg, .png, .gif, .webp: .image
    case .heic, .avif: .heif
    case _ where format.kind == .audio || format.kind == .video: .av
    default: nil
    }
  }

  /// Which layers hold around the image child. Throws where they must all hold and do not, or where
  /// no child can be started.
  package func confinement() async throws(UnusableDecoders) -> Confinement {
    do throws(ChildFailure) {
      let posture = try await supervisor.posture()
      let confinement = Confinement(
        isSufficient: posture.isSufficient, description: posture.description)
      guard confinement.isSufficient || !requiresSandbox else {
        let missing = posture.missing.map(\.rawValue).joined(separator: ", ")
        throw ChildFailure.unavailable("the sandbox does not deny: \(missing) (\(posture))")
      }
      return confinement
    } catch {
      throw UnusableDecoders(reason: "\(error)")
    }
  }

  /// How many children a picture may get when somebody else kills them.
  private static let mostChildren = 3

  /// The same, with another child when somebody else killed the first (SIGKILL, as the kernel sends
  /// when memory is short): that says nothing about the picture.
  func runAgainIfKilled(
    _ request: RenderRequest, on input: LocalInput, deadline: Deadline,
    begin: @escaping @Sendable () -> Void = {}
  ) async throws(ChildFailure) -> RenderResult {
    for _ in 1..<Self.mostChildren {
      do throws(ChildFailure) {
        return try await run(request, on: input, deadline: deadline, begin: begin)
      } catch {
        guard error == .crashed(signal: SIGKILL) else { throw error }
      }
    }
    return try await run(request, on: input, deadline: deadline, begin: begin)
  }

  /// Has a child of its own decode one picture; `begin` is called when its turn has come. An answer
  /// may hold problems; a child that died or gave none is a failure.
  package func run(
    _ request: RenderRequest, on input: LocalInput, deadline: Deadline,
    begin: @escaping @Sendable () -> Void = {}
  ) async throws(ChildFailure) -> RenderResult {
    guard let family = Self.family(of: input.format) else {
      throw .protocolViolation("no decoder reads \(input.format.rawValue)")
    }
    let wanted: RenderReply.Extent = request.embedded == .always ? .embedded : .whole
    return try await scheduled(
      DecodeSubject(request, on: input), comparison: request.comparison, by: deadline,
      isWhole: {
        $0.reply.extent == wanted && $0.reply.renditions.count == request.renditions.count
      }
    ) { () async throws(ChildFailure) in
      begin()
      // What is left once there is a slot.
      var request = request
      let time = deadline.remaining
      request.time = time
      request.comparison = request.comparison.map { min($0, time / Self.comparisonShare) }
      let (start, format) = (ContinuousClock.now, input.format)
      Log.current?.debug("decode begun", ["format": .string(format.rawValue)])
      defer {
        Log.current?.debug(
          "decode ended",
          [
            "format": .string(format.rawValue),
            "ms": JSONValue(Int(clamping: start.duration(to: .now).wholeMilliseconds)),
          ])
      }
      return try await supervisor.render(
        request, family: family, input: input.descriptor, deadline: deadline)
    }
  }
}

/// How decoders are run.
package struct DecoderOptions: Sendable, Hashable {
  /// Whether a child that is confined too little gets no input (contract §10).
  package var requiresSandbox: Bool
  /// Decodes at once.
  package var parallel: Int
  /// Children kept ready for the next picture; 0 starts one only when a picture has come.
  package var waiting: Int

  package init(requiresSandbox: Bool, parallel: Int, waiting: Int) {
    self.requiresSandbox = requiresSandbox
    self.parallel = max(1, parallel)
    self.waiting = max(0, waiting)
  }
}
