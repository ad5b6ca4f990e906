"""Files made to hurt a decoder: each must be refused, or done, within its limits."""

import struct
import zlib

import gif
import jpeg
import png
from isobmff import Item, box, coded_picture, file, full_box, grid, size_property

TOO_LARGE, TOO_MANY, CORRUPT = "tooManyPixels", "tooManyFrames", "corrupt"
UNSUPPORTED = "unsupportedFormat"


def add_all(catalogue):
    def add(name, data, format, expected, note, size=None, **facts):
        catalogue.add(f"hostile/{name}", data, format, size, expected=expected, note=note, **facts)

    add_png(add)
    add_jpeg(add, catalogue)
    add_gif(add)
    add_webp(add)
    add_heif(add, catalogue)
    add_containers(add)


def png_file(head, *chunks):
    return png.SIGNATURE + head + b"".join(chunks) + png.chunk(b"IEND")


def add_png(add):
    row = png.chunk(b"IDAT", zlib.compress(bytes(100)))
    add("declares-60000.png", png_file(png.header(60000, 60000, 8, png.RGB), row), "png",
        TOO_LARGE, "3.6 gigapixels in 90 bytes", (60000, 60000))
    add("declares-2-31.png", png_file(png.header(0x7FFFFFFF, 0x7FFFFFFF, 16, png.RGBA), row), "png",
        TOO_LARGE, "the largest numbers that PNG allows; their product overflows 64 bits in bytes",
        (0x7FFFFFFF, 0x7FFFFFFF))
    add("declares-0.png", png_file(png.header(0, 16, 8, png.RGB), row), "png", CORRUPT,
        "no width")
    head = png.header(1, 1, 8, png.GREY)
    lie = struct.pack(">I", 0x7FFFFFFF) + b"sPLT" + b"x\0\x08"
    add("palette-size-lies.png", png.SIGNATURE + head + lie, "png", CORRUPT,
        "a suggested palette of 2 GiB of which 3 bytes are there", (1, 1))
    picture = png.image_data([[(9,)] * 8] * 8, 8, png.GREY)
    small = png.header(8, 8, 8, png.GREY)
    bomb = zlib.compress(bytes(3_000_000), 9)
    text = png.chunk(b"zTXt", b"Comment\0\0" + bomb)
    add("text-bomb.png", png_file(small, text, png.chunk(b"IDAT", picture)), "png", "picture",
        "a comment that inflates to 3 MB", (8, 8))
    profile = png.chunk(b"iCCP", b"x\0\0" + bomb)
    add("profile-bomb.png", png_file(small, profile, png.chunk(b"IDAT", picture)), "png", "picture",
        "a colour profile that inflates to 3 MB of zeros", (8, 8))
    extra = zlib.compress(bytes(72) + bytes(3_000_000), 9)
    add("data-bomb.png", png_file(small, png.chunk(b"IDAT", extra)), "png", "picture",
        "rows for an 8 x 8 picture, then 3 MB more", (8, 8))
    many = b"".join(png.chunk(b"tEXt", b"k\0") for _ in range(300))
    add("many-chunks.png", png_file(small, many, png.chunk(b"IDAT", picture)), "png", "picture",
        "300 comments", (8, 8))
    frames = [png.control(0, (8, 8), (0, 0), 10), png.chunk(b"IDAT", picture)]
    counts = png.chunk(b"acTL", struct.pack(">II", 0x7FFFFFFF, 0))
    add("declares-frames.png", png_file(small, counts, *frames), "png", TOO_MANY,
        "an animation of 2,147,483,647 frames of which one is there", (8, 8), frames=0x7FFFFFFF)


def add_jpeg(add, catalogue):
    baseline = catalogue.read("jpeg/baseline.jpg")
    place = baseline.index(b"\xff\xc0") + 5
    huge = baseline[:place] + struct.pack(">HH", 65500, 65500) + baseline[place + 4:]
    add("declares-65500.jpg", huge[:2000], "jpeg", TOO_LARGE, "4.3 gigapixels in 2 kB",
        (65500, 65500))
    add("many-scans.jpg", many_scans(4000, 500), "jpeg", "picture",
        "500 scans over 16 megapixels, of which the first decides what is seen", (4000, 4000))
    lie = baseline[:2] + b"\xff\xe1\xff\xff" + baseline[2:300]
    add("segment-size-lies.jpg", lie, "jpeg", CORRUPT, "an Exif segment longer than the file")
    loop = exif_loop()
    add("exif-loop.jpg", baseline[:2] + loop + baseline[2:], "jpeg", "picture",
        "an Exif directory that points to itself", jpeg.SIZE)


def many_scans(side, count):
    """Progressive grey: one DC scan, then `count` scans of a band that say `end of band` for every
    block. Each costs a walk over all blocks, and takes about 50 bytes."""
    blocks = ((side + 7) // 8) ** 2
    frame = b"\xff\xc2" + struct.pack(">HBHHB", 11, 8, side, side, 1) + b"\x01\x11\x00"
    table = b"\xff\xdb" + struct.pack(">HB", 67, 0) + bytes([16]) * 64
    # DC: one code, category 0. AC: one code, 0xE0 = a run of 2^14 … 2^15 - 1 bands.
    codes = b"\xff\xc4" + struct.pack(">HB", 20, 0x00) + bytes([1] + [0] * 15) + b"\x00"
    codes += b"\xff\xc4" + struct.pack(">HB", 20, 0x10) + bytes([1] + [0] * 15) + b"\xe0"
    dc = b"\xff\xda\x00\x08\x01\x01\x00\x00\x00\x00" + bytes(-(-blocks // 8))
    runs = -(-blocks // 0x7FFF)
    bits = ("0" + "1" * 14) * runs
    bits += "1" * (-len(bits) % 8)
    body = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8)).replace(
        b"\xff", b"\xff\x00")
    scan = b"\xff\xda\x00\x08\x01\x01\x00\x01\x3f\x00" + body
    return b"\xff\xd8" + table + frame + codes + dc + scan * count + b"\xff\xd9"


def exif_loop():
    pointer = struct.pack(">HHII", 0x8769, 4, 1, 8)
    body = b"Exif\0\0MM\0\x2a" + struct.pack(">IH", 8, 1) + pointer + struct.pack(">I", 8)
    return b"\xff\xe1" + struct.pack(">H", 2 + len(body)) + body


def add_gif(add):
    table = bytes(range(12))
    one = gif.image((1, 1), [0], bits=2)
    add("declares-65535.gif", gif.screen((65535, 65535), table) + one + b";", "gif", TOO_LARGE,
        "a canvas of 4.3 gigapixels", (65535, 65535))
    huge = b"," + struct.pack("<HHHHB", 0, 0, 65535, 65535, 0) + one[10:]
    add("frame-of-65535.gif", gif.screen((16, 16), table) + huge + b";", "gif", TOO_LARGE,
        "a small canvas, a frame of 4.3 gigapixels", (16, 16))
    frames = (gif.control(1) + one) * 1100
    add("1100-frames.gif", gif.screen((1, 1), table) + frames + b";", "gif", TOO_MANY,
        "the limit is 1000", (1, 1), frames=1100)
    bad = one[:10] + b"\x0f\x02\xff\xff\0"
    add("bad-code-size.gif", gif.screen((1, 1), table) + bad + b";", "gif", CORRUPT,
        "LZW codes of 15 bits and more, of which the format has 12", (1, 1))


def riff(*chunks):
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def add_webp(add):
    def extended(flags, width, height):
        sizes = struct.pack("<I", width - 1)[:3] + struct.pack("<I", height - 1)[:3]
        return b"VP8X" + struct.pack("<IB3x", 10, flags) + sizes

    add("declares-2-24.webp", riff(extended(2, 1 << 24, 255), b"ANIM\6\0\0\0" + bytes(6)), "webp",
        TOO_LARGE, "an animation canvas of 16,777,216 x 255", (1 << 24, 255), frames=0)
    lossless = struct.pack("<BI", 0x2F, 16383 | 16383 << 14)
    add("declares-16384.webp", riff(b"VP8L" + struct.pack("<I", 32) + lossless + bytes(27)), "webp",
        TOO_LARGE, "16384 x 16384 in 60 bytes", (16384, 16384))
    add("size-lies.webp", b"RIFF\xff\xff\xff\xffWEBPVP8 \xff\xff\xff\x7f" + bytes(10), "webp",
        CORRUPT, "chunk sizes beyond the file")


def add_heif(add, catalogue):
    code, data, properties = coded_picture(catalogue.read("heic/single.heic"))
    data = data[:600]
    nested = b""
    for _ in range(500):
        nested = box(b"meta", bytes(4), nested)
    kind = box(b"ftyp", b"heic", bytes(4), b"mif1", b"heic")
    add("deep-boxes.heic", kind + nested, "heic", CORRUPT, "500 boxes within each other")
    properties = [entry for entry in properties if entry[4:8] != b"ispe"]
    large = Item(code, data, [size_property(60000, 60000), *properties])
    add("declares-60000.heic", file([large]), "heic", TOO_LARGE, "3.6 gigapixels", (60000, 60000))
    tile = Item(code, data, [size_property(480, 320), *properties], hidden=True)
    many = Item(b"grid", grid(64, 64, 30720, 20480), [size_property(30720, 20480)],
                [(b"dimg", [2] * 4096)])
    add("many-tiles.heic", file([many, tile]), "heic", TOO_LARGE, "one tile shown 4096 times",
        (30720, 20480))
    itself = Item(b"grid", grid(1, 1, 64, 64), [size_property(64, 64)], [(b"dimg", [1])])
    add("grid-of-itself.heic", file([itself]), "heic", UNSUPPORTED, "a grid whose tile is the grid",
        (64, 64))
    whole = file([Item(code, data, [size_property(480, 320), *properties])])
    place = whole.index(b"iloc") + 4 + 4 + 2 + 2 + 6
    lie = whole[:place] + b"\xff\xff\xff\x00\xff\xff\xff\xff" + whole[place + 8:]
    add("location-lies.heic", lie, "heic", CORRUPT, "the item lies beyond the file", (480, 320))


def add_containers(add):
    kind = box(b"ftyp", b"isom", bytes(4), b"isom")
    header = full_box(b"mvhd", 0, 0, bytes(8), struct.pack(">II", 1000, 1000), bytes(80))
    counts = full_box(b"stsz", 0, 0, struct.pack(">II", 0, 0xFFFFFFFF))
    handler = full_box(b"hdlr", 0, 0, bytes(4), b"vide", bytes(13))
    tables = box(b"stbl", counts)
    media = box(b"mdia", full_box(b"mdhd", 0, 0, bytes(20)), handler, box(b"minf", tables))
    track = box(b"trak", full_box(b"tkhd", 0, 3, bytes(80)), media)
    add("sample-count-lies.mp4", kind + box(b"moov", header, track), "mp4", CORRUPT,
        "a table of 4,294,967,295 samples of which none is there")
    add("size-lies.mkv", b"\x1a\x45\xdf\xa3\x8b\x42\x82\x88matroska\x18\x53\x80\x67\x01"
        + b"\xff" * 7 + bytes(40), "mkv", CORRUPT, "a segment without an end or content")
    laughs = b"".join(b'<!ENTITY l%d "%s">' % (i, b"&l%d;" % (i - 1) * 9) for i in range(1, 9))
    add("entities.svg", b'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY l0 "ha">' + laughs
        + b']><svg xmlns="http://www.w3.org/2000/svg"><text>&l8;</text></svg>', "svg",
        "unsupportedFormat", "entities that expand to 43 million characters")
    depth = b"<div>" * 600
    add("deep-page.html", b"<!DOCTYPE html><title>Deep</title>" + depth, "html", "notMedia",
        "600 elements within each other")


