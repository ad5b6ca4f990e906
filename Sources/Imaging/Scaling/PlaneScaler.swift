internal import Media

/// Scales one plane as its rows arrive, and keeps the rows that come out.
struct PlaneScaler<Sample: PixelSample>: Sendable {
  /// Wider rows are narrowed before they are kept: memory stays bounded for any width.
  private static var widestKeptRow: Int { 16_384 }

  private let input: RasterDescription.Plane
  private let hasAlpha: Bool
  private let horizontal: HorizontalScaler
  private let narrowsFirst: Bool
  private var vertical: VerticalScaler
  private var store: OutputRows<Sample>
  /// The row being narrowed: widened input (narrows first), or a weighed row.
  private var scratch: FloatRows

  init(
    input: RasterDescription.Plane, hasAlpha: Bool, inputUnit: Float,
    horizontal: ResamplingKernel, vertical: ResamplingKernel
  ) {
    self.input = input
    self.hasAlpha = hasAlpha
    let components = input.components
    let scaler = HorizontalScaler(kernel: horizontal, components: components)
    self.horizontal = scaler
    narrowsFirst = input.size.width > Self.widestKeptRow
    let outputSamples = horizontal.outputCount * components
    let inputSamples = input.size.width * components
    let size = PixelSize(width: horizontal.outputCount, height: vertical.outputCount)
    self.vertical = VerticalScaler(
      kernel: vertical, samples: narrowsFirst ? outputSamples : inputSamples,
      margin: narrowsFirst ? HorizontalScaler.outputMargin : scaler.margin)
    scratch = FloatRows(
      rows: 1, samples: narrowsFirst ? inputSamples : outputSamples,
      margin: narrowsFirst ? scaler.margin : HorizontalScaler.outputMargin)
    store = OutputRows(
      size: size, components: components, hasAlpha: hasAlpha, inputUnit: inputUnit)
  }

  var rowsReceived: Int { vertical.rowsReceived }
  var rowsMade: Int { store.rowsMade }
  /// The rows that a whole picture gives.
  var rowsWanted: Int { vertical.outputCount }

  /// Takes one row of width × components samples.
  mutating func consume<Input: PixelSample>(_ row: Span<Input>) {
    guard row.count == input.size.width * input.components else { return }
    if narrowsFirst {
      consumeNarrowingFirst(row)
    } else {
      consumeWeighingFirst(row)
    }
  }

  private mutating func consumeWeighingFirst<Input: PixelSample>(_ row: Span<Input>) {
    let (components, hasAlpha) = (input.components, hasAlpha)
    unsafe vertical.append { kept in
      unsafe row.widen(components: components, hasAlpha: hasAlpha, into: kept)
    } emit: { [horizontal] weighed in
      unsafe scratch.withRow(0) { narrow in
        unsafe horizontal.scale(weighed, into: narrow)
        unsafe store.append(narrow)
      }
    }
  }

  private mutating func consumeNarrowingFirst<Input: PixelSample>(_ row: Span<Input>) {
    let (components, hasAlpha) = (input.components, hasAlpha)
    unsafe vertical.append { [horizontal] kept in
      unsafe scratch.withRow(0) { wide in
        unsafe row.widen(components: components, hasAlpha: hasAlpha, into: wide)
        unsafe horizontal.scale(wide, into: kept)
      }
    } emit: { weighed in
      unsafe store.append(weighed)
    }
  }

  /// Ends the plane after the rows that came: makes what is missing of its first `rows` rows, and
  /// cuts the rest.
  mutating func finish(rows: Int) {
    unsafe vertical.finish(outputs: rows) { [horizontal, narrowsFirst] weighed in
      guard !narrowsFirst else {
        unsafe store.append(weighed)
        return
      }
      unsafe scratch.withRow(0) { narrow in
        unsafe horizontal.scale(weighed, into: narrow)
        unsafe store.append(narrow)
      }
    }
    store.cut(to: rows)
  }

  /// Hands the plane over.
  mutating func takePlane() -> PixelPlane<Sample> { store.takePlane() }
}

extension Span where Element: PixelSample {
  /// - Safety: `output` has room for the span's samples.
  @unsafe fileprivate func widen(
    components: Int, hasAlpha: Bool, into output: UnsafeMutablePointer<Float>
  ) {
    unsafe withUnsafeBufferPointer { buffer in
      guard let input = buffer.baseAddress else { return }
      if hasAlpha {
        unsafe Element.widenPremultiplied(
          input, count: buffer.count, components: components, into: output)
      } else {
        unsafe Element.widen(input, count: buffer.count, into: output)
      }
    }
  }
}

/// The rows that came out of a scaler, rounded to samples.
struct OutputRows<Sample: PixelSample>: Sendable {
  private var plane: PixelPlane<Sample>
  private let hasAlpha: Bool
  private let inputUnit: Float
  private(set) var rowsMade = 0

  init(size: PixelSize, components: Int, hasAlpha: Bool, inputUnit: Float) {
    plane = PixelPlane(
      size: size, components: components,
      samples: Sample.zeros(size.width * size.height * components))
    self.hasAlpha = hasAlpha
    self.inputUnit = inputUnit
  }

  /// - Safety: `row` has width × components samples.
  @unsafe mutating func append(_ row: UnsafeMutablePointer<Float>) {
    guard rowsMade < plane.size.height else { return }
    let count = plane.samplesPerRow
    if hasAlpha {
      unsafe SampleConversion.unpremultiply(
        row, count: count, components: plane.components, unit: inputUnit)
    }
    let offset = rowsMade * count
    let factor = Sample.unit / inputUnit
    unsafe plane.samples.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe Sample.narrow(row, factor: factor, count: count, into: base + offset)
    }
    rowsMade += 1
  }

  mutating func cut(to rows: Int) {
    plane.size.height = min(rows, plane.size.height)
    plane.samples.removeLast(plane.samples.count - plane.size.height * plane.samplesPerRow)
  }

  mutating func takePlane() -> PixelPlane<Sample> {
    let taken = plane
    plane = PixelPlane(size: PixelSize(width: 0, height: 0), components: 1, samples: [])
    return taken
  }
}
