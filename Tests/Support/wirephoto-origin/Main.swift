import Glibc
import Origin

/// Serves a folder with misbehaviours by query (see `Behaviour`), until it is stopped.
@main
struct Program {
  static func main() {
    let arguments = CommandLine.arguments
    guard [2, 3, 5].contains(arguments.count),
      let port = arguments.count > 2 ? Int(arguments[2]) : 0
    else {
      print("usage: wirephoto-origin FOLDER|- [PORT [CERTIFICATE KEY]]")
      exit(2)
    }
    do {
      let identity =
        arguments.count == 5
        ? OriginServer.Identity(certificate: arguments[3], key: arguments[4]) : nil
      let folder = arguments[1] == "-" ? nil : arguments[1]
      let server = try OriginServer(folder: folder, identity: identity, port: port)
      print(server.url("/"))
      fflush(nil)
      while true { pause() }
    } catch {
      print("cannot listen: \(error)")
      exit(3)
    }
  }
}
