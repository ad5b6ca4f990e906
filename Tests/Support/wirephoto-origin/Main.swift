import Glibc
import Origin

/// An origin that misbehaves, until it is stopped: a folder served as each request's query has it
/// (see `Behaviour`), a port that nobody answers at, or a slow name server.
@main
struct Program {
  private static let usage = """
    usage: wirephoto-origin FOLDER|- [PORT [CERTIFICATE KEY]]   on 127.0.0.1; port 0 takes a free one
           wirephoto-origin --everywhere FOLDER|- PORT [CERTIFICATE KEY]   on every address
           wirephoto-origin --unanswered PORT   a SYN gets no answer
           wirephoto-origin --mute PORT         connections are made, nothing is ever sent
           wirephoto-origin --names [DELAY]     127.0.0.1 for every name, so many milliseconds late
    """

  static func main() {
    do {
      try serve(Array(CommandLine.arguments.dropFirst()))
    } catch {
      print("cannot listen: \(error)")
      exit(3)
    }
  }

  private static func serve(_ words: [String]) throws {
    switch words.first {
    case "--help", "-h": print(usage)
    case "--unanswered": try listen(.unanswered, words)
    case "--mute": try listen(.mute, words)
    case "--names": try answerNames(words)
    case "--everywhere": try serveFolder(Array(words.dropFirst()), address: "0.0.0.0")
    default: try serveFolder(words, address: "127.0.0.1")
    }
  }

  private static func serveFolder(_ words: [String], address: String) throws {
    guard [1, 2, 4].contains(words.count), let port = words.count > 1 ? Int(words[1]) : 0 else {
      refuse()
    }
    let identity =
      words.count == 4 ? OriginServer.Identity(certificate: words[2], key: words[3]) : nil
    let folder = words[0] == "-" ? nil : words[0]
    let server = try OriginServer(folder: folder, identity: identity, address: address, port: port)
    wait(server.url("/"), holding: server)
  }

  private static func listen(_ manner: SilentListener.Manner, _ words: [String]) throws {
    guard words.count == 2, let port = Int(words[1]) else { refuse() }
    wait("port \(port)", holding: try SilentListener(manner, port: port))
  }

  private static func answerNames(_ words: [String]) throws {
    guard let delay = words.count > 1 ? Int(words[1]) : 0 else { refuse() }
    let server = try NameServer(delay: .milliseconds(delay)) { _, _ in .addresses([0x7f00_0001]) }
    wait("127.0.0.1:53", holding: server)
  }

  /// Tells the place on standard output once it is there.
  private static func wait(_ place: String, holding server: AnyObject) -> Never {
    print(place)
    fflush(nil)
    while true {
      pause()
      withExtendedLifetime(server) {}
    }
  }

  private static func refuse() -> Never {
    print(usage)
    exit(2)
  }
}
