internal import Imaging

/// What is to be overwritten in a file whose indexes count its bytes: it keeps its size.
struct FilePatches {
  private struct Patch {
    let range: Range<Int>
    /// Nil stands for the filler.
    let bytes: [UInt8]?
    let filler: UInt8
  }

  private var patches: [Patch] = []

  var isEmpty: Bool { patches.isEmpty }

  /// Overwrites a range by one byte.
  mutating func fill(_ range: Range<Int>, with byte: UInt8 = 0) {
    guard !range.isEmpty else { return }
    if let last = patches.last, last.bytes == nil, last.filler == byte,
      last.range.upperBound == range.lowerBound
    {
      patches.removeLast()
      patches.append(
        Patch(range: last.range.lowerBound..<range.upperBound, bytes: nil, filler: byte))
    } else {
      patches.append(Patch(range: range, bytes: nil, filler: byte))
    }
  }

  /// Overwrites a range by one byte, unless it holds nothing else.
  mutating func erase(
    _ range: Range<Int>, in window: inout SourceWindow, with byte: UInt8 = 0
  ) throws(DecodeFailure) {
    if try !window.holdsOnly(byte, in: range) { fill(range, with: byte) }
  }

  /// Overwrites what stands at an offset.
  mutating func put(_ bytes: [UInt8], at offset: Int) {
    guard !bytes.isEmpty else { return }
    patches.append(Patch(range: offset..<offset + bytes.count, bytes: bytes, filler: 0))
  }

  /// The file as it is then; of patches that overlap, the one that begins first counts.
  func copy(of file: SourceFile) -> CleanCopy {
    var copy = CleanCopy()
    var done = 0
    for patch in patches.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      let range =
        max(done, patch.range.lowerBound)..<max(done, min(file.size, patch.range.upperBound))
      guard !range.isEmpty else { continue }
      copy.append(.source(done..<range.lowerBound))
      if let bytes = patch.bytes {
        let first = range.lowerBound - patch.range.lowerBound
        copy.append(.bytes(Array(bytes[first..<first + range.count])))
      } else {
        copy.append(.fill(patch.filler, range.count))
      }
      done = range.upperBound
    }
    copy.append(.source(done..<file.size))
    return copy
  }
}
