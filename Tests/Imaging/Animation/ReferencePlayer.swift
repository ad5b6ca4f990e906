import Foundation
import Media
import TestSupport

/// Other people's players of animations.
enum ReferencePlayer: String, CaseIterable {
  /// libnsgif and, for WebP, its own composition of libwebp's frames.
  case vips
  case ffmpeg
  case pillow
  /// GIF alone.
  case imagemagick

  struct Animation {
    var frames: [[UInt8]]
    /// As the file has them; empty where the player does not tell.
    var milliseconds: [Double]
    /// As the file has it (GIF: repetitions); nil where it has none or the player does not tell.
    var loop: Int?
  }

  /// Which players are asked about a format; the first tells its delays and loops.
  static func players(of format: MediaFormat) -> [ReferencePlayer] {
    switch format {
    case .gif: [.vips, .ffmpeg, .pillow, .imagemagick]
    case .png: [.pillow, .ffmpeg]
    default: [.vips, .pillow]
    }
  }

  /// All frames; nil where this player does not read the file.
  func play(_ path: String, width: Int, height: Int) throws -> Animation? {
    let folder = try TemporaryDirectory()
    let raw = folder.path(of: "frames.raw")
    guard
      let text = try? IndependentReader.run(
        IndependentReader.python, ["-c", Self.script, rawValue, path, raw])
    else { return nil }
    let words = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
    let frameBytes = width * height * 4
    guard frameBytes > 0, !bytes.isEmpty, bytes.count.isMultiple(of: frameBytes) else { return nil }
    let frames = stride(from: 0, to: bytes.count, by: frameBytes).map {
      Array(bytes[$0..<$0 + frameBytes]).withoutHiddenColours
    }
    return Animation(
      frames: frames, milliseconds: words.dropFirst().compactMap { Double($0) },
      loop: words.first.flatMap { Int($0) })
  }

  private static let script = """
    import re, subprocess, sys
    player, path, raw = sys.argv[1:]
    loop, delays = '-', []
    if player == 'pillow':
        from PIL import Image, ImageSequence
        picture = Image.open(path)
        loop = picture.info.get('loop', '-')
        with open(raw, 'wb') as out:
            for number in range(getattr(picture, 'n_frames', 1)):
                picture.seek(number)
                frame = picture.convert('RGBA')
                delays.append(picture.info.get('duration', 0))
                out.write(frame.tobytes())
    elif player == 'imagemagick':
        frames = subprocess.run(
            ['convert', 'gif:' + path, '-coalesce', '-depth', '8', 'rgba:-'], check=True,
            capture_output=True).stdout
        open(raw, 'wb').write(frames)
    elif player == 'ffmpeg':
        subprocess.run(
            ['ffmpeg', '-v', 'error', '-xerror', '-y', '-i', path, '-fps_mode', 'passthrough',
             '-sws_flags', 'accurate_rnd+full_chroma_int', '-f', 'rawvideo', '-pix_fmt', 'rgba',
             raw], check=True, stdin=subprocess.DEVNULL)
    else:
        header = subprocess.run(
            ['vipsheader', '-a', path + '[n=-1]'], check=True, capture_output=True,
            text=True).stdout
        field = lambda name: re.search('^' + name + ': (.*)$', header, re.M)
        if field('loop'): loop = field('loop').group(1)
        if field('delay'): delays = field('delay').group(1).split()
        pages = int(field('n-pages').group(1)) if field('n-pages') else 1
        if delays and len(delays) < pages:
            # A long list is printed in part.
            from PIL import Image
            picture = Image.open(path)
            delays = []
            for number in range(pages):
                picture.seek(number)
                delays.append(picture.info.get('duration', 0))
        bands = int(field('bands').group(1))
        subprocess.run(['vips', 'rawsave', path + '[n=-1]', raw], check=True)
        pixels = open(raw, 'rb').read()
        if bands != 4:
            out = bytearray(len(pixels) // bands * 4)
            colours = [0, 0, 0] if bands < 3 else [0, 1, 2]
            for component in range(3): out[component::4] = pixels[colours[component]::bands]
            out[3::4] = pixels[1::2] if bands == 2 else b'\\xff' * (len(out) // 4)
            open(raw, 'wb').write(out)
    print(loop, *delays)
    """
}
