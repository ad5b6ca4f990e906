import Glibc
import Origin

/// Serves a folder with misbehaviours by query, until it is stopped: `wirephoto-origin FOLDER [PORT]`.
@main
struct Program {
  static func main() {
    let arguments = CommandLine.arguments
    guard (2...3).contains(arguments.count), let port = arguments.count == 3 ? Int(arguments[2]) : 0
    else {
      print("usage: wirephoto-origin FOLDER [PORT]")
      exit(2)
    }
    do {
      let server = try OriginServer(folder: arguments[1], port: port)
      print(server.url("/"))
      fflush(nil)
      while true { pause() }
    } catch {
      print("cannot listen: \(error)")
      exit(3)
    }
  }
}
