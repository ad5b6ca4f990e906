import Foundation
import Imaging
import Media

/// The bytes that renditions were written to, in a file of their own.
struct RenderedOutput: ~Copyable {
  let path: String
  private let handle: FileHandle

  init(holding contents: [UInt8] = []) throws {
    path = NSTemporaryDirectory() + "rendered-\(UUID().uuidString)"
    guard FileManager.default.createFile(atPath: path, contents: Data(contents)),
      let handle = FileHandle(forUpdatingAtPath: path)
    else { throw CocoaError(.fileNoSuchFile) }
    self.handle = handle
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  var number: Int32 { handle.fileDescriptor }

  func bytes() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  func decode(_ rendition: RenderReply.Rendition) throws -> IndependentReader.Pixels {
    try IndependentReader.decode([UInt8](try bytes()[rendition.bytes]))
  }
}

/// Other people's programs, which say what a written file really holds.
enum IndependentReader {
  struct Pixels: Equatable {
    /// Pillow's mode: L, LA, RGB, RGBA, P.
    var mode: String
    var size: PixelSize
    var samples: [UInt8]
  }

  struct Failure: Error {
    var status: Int32
  }

  static let python = "/usr/bin/python3"
  static let exiftool = "/usr/bin/exiftool"

  static var hasPillow: Bool {
    (try? run(python, ["-c", "import PIL.ImageCms"])) != nil
  }

  static var hasExiftool: Bool { FileManager.default.isExecutableFile(atPath: exiftool) }

  /// Decodes with Pillow; palettes become RGBA.
  static func decode(_ bytes: [UInt8]) throws -> Pixels {
    let script = """
      import sys
      from PIL import Image
      picture = Image.open(sys.argv[1])
      mode = picture.mode
      if mode == 'P': picture = picture.convert('RGBA')
      sys.stdout.buffer.write(f'{mode} {picture.width} {picture.height} '.encode())
      sys.stdout.buffer.write(picture.tobytes())
      """
    let output = try withFile(bytes) { try run(python, ["-c", script, $0]) }
    let fields = output.split(
      separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
    let words = fields.prefix(3).map { String(decoding: $0, as: UTF8.self) }
    return Pixels(
      mode: words[0], size: PixelSize(width: Int(words[1]) ?? 0, height: Int(words[2]) ?? 0),
      samples: [UInt8](fields[3]))
  }

  /// What exiftool finds in a file, without its own and the file system's entries.
  static func metadata(_ bytes: [UInt8]) throws -> String {
    let output = try withFile(bytes) {
      try run(exiftool, ["-a", "-G0", "-s", "--ExifTool:all", "--File:all", "--Composite:all", $0])
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Runs a program to its end and gives its standard output.
  static func run(_ program: String, _ arguments: [String]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    return [UInt8](data)
  }

  static func withFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result
  {
    let path = NSTemporaryDirectory() + "read-\(UUID().uuidString)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
  }
}
