internal import CAV
package import Media

extension Orientation {
  /// The turn that a track's display matrix asks for, to the nearest quarter (ISO/IEC 14496-12
  /// §8.3.2; libavutil's display.h). The corresponding C function is `av_stream_get_side_data`.
  @unsafe init(displayMatrixOf stream: UnsafeMutablePointer<AVStream>) {
    var size = 0
    let data = unsafe av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size)
    guard let data = unsafe data, size >= 36 else {
      self = .up
      return
    }
    let matrix = UnsafeRawPointer(data)
    let entries = [0, 1, 3, 4].map {
      unsafe Int(matrix.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self))
    }
    self.init(a: entries[0], b: entries[1], c: entries[2], d: entries[3])
  }

  /// A stored point (x, y) is shown at (ax + cy, bx + dy).
  package init(a: Int, b: Int, c: Int, d: Int) {
    if abs(a) + abs(d) >= abs(b) + abs(c) {
      self =
        switch (a < 0, d < 0) {
        case (false, false): .up
        case (true, false): .upMirrored
        case (true, true): .down
        case (false, true): .downMirrored
        }
    } else {
      self =
        switch (b < 0, c < 0) {
        case (false, true): .right
        case (true, false): .left
        case (false, false): .leftMirrored
        case (true, true): .rightMirrored
        }
    }
  }
}
