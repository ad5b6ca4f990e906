"""GIF samples, written block by block (GIF89a) with a plain LZW coder."""

import struct

import scene

SIZE = (150, 100)


def lzw(indices, bits):
    """The data sub-blocks of one image."""
    clear, end = 1 << bits, (1 << bits) + 1
    out, held, width = bytearray(), [0, 0], bits + 1

    def emit(code):
        held[0] |= code << held[1]
        held[1] += width
        while held[1] >= 8:
            out.append(held[0] & 0xFF)
            held[0] >>= 8
            held[1] -= 8

    emit(clear)
    table, next_code, prefix = {}, end + 1, None
    for index in indices:
        if prefix is None:
            prefix = index
        elif (prefix, index) in table:
            prefix = table[prefix, index]
        else:
            emit(prefix)
            if next_code < 4096:
                table[prefix, index] = next_code
                if next_code == 1 << width and width < 12:
                    width += 1
                next_code += 1
            else:
                emit(clear)
                table, next_code, width = {}, end + 1, bits + 1
            prefix = index
    emit(prefix)
    emit(end)
    if held[1]:
        out.append(held[0] & 0xFF)
    blocks = b"".join(bytes([len(out[i:i + 255])]) + out[i:i + 255]
                      for i in range(0, len(out), 255))
    return bytes([bits]) + blocks + b"\0"


def screen(size, table=b"", background=0):
    bits = max(1, (len(table) // 3 - 1).bit_length())
    flags = 0x80 | 0x70 | (bits - 1) if table else 0x70
    return b"GIF89a" + struct.pack("<HHBBB", *size, flags, background, 0) + table


def image(size, indices, bits=8, place=(0, 0), table=b"", interlaced=False):
    flags = 0x40 if interlaced else 0
    if table:
        flags |= 0x80 | ((len(table) // 3 - 1).bit_length() - 1)
    if interlaced:
        width, height = size
        order = [y for start, step in ((0, 8), (4, 8), (2, 4), (1, 2))
                 for y in range(start, height, step)]
        indices = [i for y in order for i in indices[y * width:(y + 1) * width]]
    return b"," + struct.pack("<HHHHB", *place, *size, flags) + table + lzw(indices, bits)


def control(hundredths, dispose=0, transparent=None):
    flags = dispose << 2 | (transparent is not None)
    return b"!\xf9\x04" + struct.pack("<BHB", flags, hundredths, transparent or 0) + b"\0"


def looping(times):
    return b"!\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", times) + b"\0"


def add_all(catalogue):
    def add(name, data, size=SIZE, **facts):
        return catalogue.add(f"gif/{name}.gif", data, "gif", size, **facts)

    drawn = scene.landscape(*SIZE, "gif")
    indices, table = scene.quantized(drawn, 256)
    add("still", screen(SIZE, table) + image(SIZE, indices) + b";")
    old = b"GIF87a" + screen(SIZE, table)[6:]
    add("still-87a", old + image(SIZE, indices) + b";")
    add("interlaced", screen(SIZE, table) + image(SIZE, indices, interlaced=True) + b";")
    add("local-colours", screen(SIZE) + image(SIZE, indices, table=table) + b";",
        note="no global colours")
    few, small = scene.quantized(drawn, 4)
    add("four-colours", screen(SIZE, small) + image(SIZE, few, bits=2) + b";")
    add("transparent", screen(SIZE, table) + control(0, transparent=indices[0])
        + image(SIZE, indices) + b";", alpha=True, note="the red corner is transparent")
    add("comment", screen(SIZE, table) + b"!\xfe\x0csecret place\0" + image(SIZE, indices) + b";")
    add_animations(add, indices, table)


def add_animations(add, indices, table):
    size, count = (96, 64), 8
    clocks = [scene.quantized(scene.clock(*size, index, count), 64) for index in range(count)]
    frames = b"".join(control(10) + image(size, *(few, 6), table=colours)
                      for few, colours in clocks)
    add("animated", screen(size) + looping(0) + frames + b";", size, frames=count,
        note="for ever, 100 ms a frame")
    add("animated-once", screen(size) + frames + b";", size, frames=count,
        note="no loop extension: once")
    add("animated-fast", screen(size) + looping(3)
        + b"".join(control(0) + image(size, few, 6, table=colours) for few, colours in clocks)
        + b";", size, frames=count, note="delays of 0, three loops")
    add("disposals", disposals(size), size, frames=4, alpha=True,
        note="kept, restored to background, restored to previous, kept")
    add("outside", outside(indices, table), (100, 80), frames=2,
        note="the second frame reaches beyond the canvas")


def disposals(size):
    """A red ground; a blue square that is cleared; a green one that gives back what was there; a
    yellow one."""
    colours = bytes(v for c in (scene.RED, scene.GREEN, scene.BLUE, scene.YELLOW) for v in c)
    square = (30, 30)
    parts = [control(20, dispose=1) + image(size, [0] * (size[0] * size[1]), bits=2)]
    for colour, dispose, place in [(2, 2, (5, 5)), (1, 3, (30, 20)), (3, 1, (60, 30))]:
        parts.append(control(20, dispose) + image(square, [colour] * 900, bits=2, place=place))
    return screen(size, colours) + looping(0) + b"".join(parts) + b";"


def outside(indices, table):
    first = [indices[y * SIZE[0] + x] for y in range(80) for x in range(100)]
    canvas = screen((100, 80), table)
    return canvas + looping(0) + control(50) + image((100, 80), first) + control(50) + image(
        SIZE, indices, place=(50, 40)) + b";"
