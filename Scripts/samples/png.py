"""PNG samples, written chunk by chunk so that every colour type and depth can be had."""

import struct
import zlib

import icc
import scene

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGBA: 4}
# Adam7: first column, first row, column step, row step.
PASSES = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
          (0, 1, 1, 2)]
SIZE = (150, 100)


def chunk(kind, body=b""):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def header(width, height, depth, colour, interlaced=False):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced))


def pack(values, depth):
    """Samples of one row as bytes."""
    if depth == 16:
        return struct.pack(f">{len(values)}H", *values)
    if depth == 8:
        return bytes(values)
    bits = "".join(format(value, f"0{depth}b") for value in values)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def filtered(rows, unit):
    """Rows with the five filters in turn, so that a decoder meets each."""
    result, above = b"", b""
    for index, row in enumerate(rows):
        above = above or bytes(len(row))
        kind = index % 5
        line = bytearray()
        for i, value in enumerate(row):
            left = row[i - unit] if i >= unit else 0
            corner = above[i - unit] if i >= unit else 0
            predicted = (0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner))
            line.append((value - predicted[kind]) & 0xFF)
        result += bytes([kind]) + bytes(line)
        above = row
    return result


def paeth(left, above, corner):
    guess = left + above - corner
    return min((left, above, corner), key=lambda value: abs(guess - value))


def image_data(pixels, depth, colour, interlaced=False):
    """The zlib stream of `pixels`: rows of tuples of samples."""
    unit = max(1, CHANNELS[colour] * depth // 8)
    height, width = len(pixels), len(pixels[0])
    stream = b""
    for x0, y0, dx, dy in PASSES if interlaced else [(0, 0, 1, 1)]:
        rows = [
            pack([s for x in range(x0, width, dx) for s in pixels[y][x]], depth)
            for y in range(y0, height, dy)
        ]
        if x0 < width:
            stream += filtered(rows, unit)
    return zlib.compress(stream, 9)


def encode(pixels, depth, colour, *extra, interlaced=False):
    head = header(len(pixels[0]), len(pixels), depth, colour, interlaced)
    data = chunk(b"IDAT", image_data(pixels, depth, colour, interlaced))
    return SIGNATURE + head + b"".join(extra) + data + chunk(b"IEND")


def rows(picture):
    width, height = picture.size
    flat = list(picture.getdata())
    flat = [value if isinstance(value, tuple) else (value,) for value in flat]
    return [flat[y * width:(y + 1) * width] for y in range(height)]


def scaled(pixels, depth):
    """8-bit samples in another depth."""
    top = (1 << depth) - 1
    return [[tuple(value * top // 255 for value in pixel) for pixel in row] for row in pixels]


def add_all(catalogue):
    def add(name, data, size=SIZE, **facts):
        return catalogue.add(f"png/{name}.png", data, "png", size, **facts)

    drawn = scene.landscape(*SIZE, "png")
    colour, grey = rows(drawn), rows(drawn.convert("L"))
    badge = scene.badge(*SIZE)
    clear, grey_clear = rows(badge), rows(badge.convert("LA"))
    for depth in (1, 2, 4, 8, 16):
        add(f"grey-{depth}", encode(scaled(grey, depth), depth, GREY))
    for depth in (8, 16):
        add(f"rgb-{depth}", encode(scaled(colour, depth), depth, RGB))
        add(f"grey-alpha-{depth}", encode(scaled(grey_clear, depth), depth, GREY_ALPHA), alpha=True)
        add(f"rgba-{depth}", encode(scaled(clear, depth), depth, RGBA), alpha=True)
    for depth in (1, 2, 4, 8):
        indices, table = palette(drawn, depth)
        add(f"palette-{depth}", encode(indices, depth, PALETTE, table))
    add_interlaced(add, drawn, colour, grey, clear)
    add_transparent(add, drawn, colour, grey)
    add_colours(add, drawn, colour)
    add_animations(catalogue)
    upright = scene.turned(drawn, 6)
    add("orientation-6", encode(rows(upright), 8, RGB, chunk(b"eXIf", exif(6))), orientation=6)
    add("opaque-rgba", encode([[(*p, 255) for p in row] for row in colour], 8, RGBA), alpha=True,
        note="an alpha channel in which nothing is transparent")
    large = scene.landscape(1800, 1200, "large")
    add("large", encode_fast(large), large.size, note="larger than every box")


def palette(picture, depth):
    indices, table = scene.quantized(picture, 1 << depth)
    width = picture.size[0]
    single = [(index,) for index in indices]
    grid = [single[start:start + width] for start in range(0, len(single), width)]
    return grid, chunk(b"PLTE", table)


def add_interlaced(add, drawn, colour, grey, clear):
    note = "Adam7"
    add("interlaced-grey-8", encode(grey, 8, GREY, interlaced=True), note=note)
    add("interlaced-rgb-8", encode(colour, 8, RGB, interlaced=True), note=note)
    add("interlaced-rgba-16", encode(scaled(clear, 16), 16, RGBA, interlaced=True), alpha=True,
        note=note)
    indices, table = palette(drawn, 4)
    add("interlaced-palette-4", encode(indices, 4, PALETTE, table, interlaced=True), note=note)
    add("interlaced-grey-1", encode(scaled(grey, 1), 1, GREY, interlaced=True), note=note)
    add("interlaced-3x2", encode([row[:3] for row in colour[:2]], 8, RGB, interlaced=True), (3, 2),
        note="most passes are empty")


def add_transparent(add, drawn, colour, grey):
    red = struct.pack(">3H", *scene.RED)
    add("trns-rgb", encode(colour, 8, RGB, chunk(b"tRNS", red)), alpha=True,
        note="the red corner is transparent")
    shade = grey[0][0][0]
    add("trns-grey", encode(grey, 8, GREY, chunk(b"tRNS", struct.pack(">H", shade))), alpha=True,
        note="the top left corner is transparent")
    indices, table = palette(drawn, 8)
    alphas = bytes(i * 8 % 256 for i in range(200))
    add("trns-palette", encode(indices, 8, PALETTE, table, chunk(b"tRNS", alphas)), alpha=True,
        note="an alpha for each of the first 200 colours")


def add_colours(add, drawn, colour):
    linear = [round(65535 * (v / 255) ** 2.2) for v in range(256)]
    light = [[tuple(linear[v] for v in pixel) for pixel in row] for row in colour]
    add("gamma-linear", encode(light, 16, RGB, chunk(b"gAMA", struct.pack(">I", 100000))),
        note="linear light: looks like rgb-8 when gAMA is obeyed")
    packed = zlib.compress(icc.display_p3(), 9)
    add("icc-p3", encode(colour, 8, RGB, chunk(b"iCCP", b"P3\0\0" + packed)),
        note="stored numbers are Display P3: more saturated than rgb-8")
    add("srgb-chunk", encode(colour, 8, RGB, chunk(b"sRGB", b"\0")))
    text = chunk(b"tEXt", b"Comment\0secret place") + chunk(b"zTXt", b"Note\0\0" + packed)
    add("text", encode(colour, 8, RGB, text), note="comments")


def add_animations(catalogue):
    size, count = (96, 64), 6
    frames = [rows(scene.clock(*size, index, count)) for index in range(count)]
    catalogue.add(
        "png/animated.png", animation(frames, loops=0), "png", size, frames=count,
        note="APNG, whole frames, 100 ms each, for ever")
    catalogue.add(
        "png/animated-partial.png", partial_animation(frames), "png", size, frames=3, alpha=True,
        note="APNG, a smaller second frame blended over, then disposed to the first; 3 loops")


def control(number, size, place, hundredths, dispose=0, blend=0):
    body = struct.pack(">IIIIIHHBB", number, *size, *place, hundredths, 100, dispose, blend)
    return chunk(b"fcTL", body)


def animation(frames, loops):
    size = (len(frames[0][0]), len(frames[0]))
    parts, number = [], 0
    for index, frame in enumerate(frames):
        parts.append(control(number, size, (0, 0), 10))
        number += 1
        data = image_data(frame, 8, RGB)
        if index:
            data = struct.pack(">I", number) + data
            number += 1
        parts.append(chunk(b"fdAT" if index else b"IDAT", data))
    head = header(*size, 8, RGB) + chunk(b"acTL", struct.pack(">II", len(frames), loops))
    return SIGNATURE + head + b"".join(parts) + chunk(b"IEND")


def partial_animation(frames):
    size = (len(frames[0][0]), len(frames[0]))
    first = [[(*pixel, 255) for pixel in row] for row in frames[0]]
    badge = rows(scene.badge(32, 32))
    last = [[(*pixel, 255) for pixel in row[:16]] for row in frames[3][:64]]
    parts = [
        control(0, size, (0, 0), 20), chunk(b"IDAT", image_data(first, 8, RGBA)),
        control(1, (32, 32), (40, 20), 20, dispose=2, blend=1),
        chunk(b"fdAT", struct.pack(">I", 2) + image_data(badge, 8, RGBA)),
        control(3, (16, 64), (80, 0), 30),
        chunk(b"fdAT", struct.pack(">I", 4) + image_data(last, 8, RGBA)),
    ]
    head = header(*size, 8, RGBA) + chunk(b"acTL", struct.pack(">II", 3, 3))
    return SIGNATURE + head + b"".join(parts) + chunk(b"IEND")


def exif(orientation):
    """A TIFF header and one directory with one entry: orientation."""
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    return b"MM\0\x2a" + struct.pack(">IH", 8, 1) + entry + bytes(4)


def encode_fast(picture):
    width, height = picture.size
    data, stride = picture.tobytes(), 3 * width
    stream = b"".join(b"\0" + data[y * stride:(y + 1) * stride] for y in range(height))
    head = header(width, height, 8, RGB)
    return SIGNATURE + head + chunk(b"IDAT", zlib.compress(stream, 9)) + chunk(b"IEND")


def inflated(data):
    """For each byte of a file how many of its picture's bytes have come with it."""
    counts, place, stream = [0] * len(SIGNATURE), len(SIGNATURE), zlib.decompressobj()
    while place < len(data):
        length, = struct.unpack(">I", data[place:place + 4])
        chunk_end = min(place + 12 + length, len(data))
        is_data = data[place + 4:place + 8] == b"IDAT"
        for index in range(place, chunk_end):
            came = is_data and place + 8 <= index < place + 8 + length
            more = len(stream.decompress(data[index:index + 1])) if came else 0
            counts.append(counts[-1] + more)
        place = chunk_end
    return counts


def interlaced_rows(size):
    """For each row of each pass its pass, its pixels and its bytes of three 8-bit samples each."""
    width, height = size
    for number, (x0, y0, dx, dy) in enumerate(PASSES):
        columns = range(x0, width, dx)
        for y in range(y0, height, dy) if columns else ():
            yield number, [(x, y) for x in columns], 1 + 3 * len(columns)


def pass_ends(data):
    """Where the data of each pass have come."""
    counts, needed, ends = inflated(data), 0, []
    rows = list(interlaced_rows(struct.unpack(">II", data[16:24])))
    for number in range(len(PASSES)):
        needed += sum(count for of, _, count in rows if of == number)
        ends.append(next(i for i, count in enumerate(counts) if count >= needed) + 1)
    return ends


def interlaced_pixels(data, size):
    """The pixels whose rows have come whole, in their order, each with its pass."""
    left = inflated(data)[-1]
    for number, pixels, count in interlaced_rows(size):
        left -= count
        if left < 0:
            return
        for x, y in pixels:
            yield x, y, number
