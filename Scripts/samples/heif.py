"""HEIC and AVIF samples: pictures coded by heif-enc and avifenc, put together by isobmff.py."""

import icc
import jpeg
import png
import scene
import webp
from catalogue import convert
from isobmff import (Item, box, clean_aperture, coded_picture, file, grid, mirror, rotation,
                     size_property)

SIZE = (480, 320)


def heif_enc(data, *options, suffix="heic"):
    command = ["heif-enc", "-q", "60", *options, "-o", f"out.{suffix}", "in.png"]
    return convert(command, {"in.png": data}, f"out.{suffix}")


def avifenc(data, *options):
    command = ["avifenc", "-s", "6", "--min", "20", "--max", "32", *options, "in.png", "out.avif"]
    return convert(command, {"in.png": data}, "out.avif")


def deep(picture):
    """The picture as a 16-bit PNG, from which the encoders make 10 bits."""
    return png.encode(png.scaled(png.rows(picture), 16), 16, png.RGB)


def add_all(catalogue):
    drawn = scene.landscape(*SIZE, "heif")
    badge = scene.badge(180, 120)
    small = scene.landscape(240, 160, "ten bits")
    encoders = {
        "heic": lambda picture, *options: heif_enc(webp.png_of(picture), *options),
        "avif": lambda picture, *options: avifenc(webp.png_of(picture), *options),
    }
    for kind, encode in encoders.items():
        add = adder(catalogue, kind)
        add("single", encode(drawn))
        add("alpha", encode(badge), badge.size, alpha=True)
        add_composed(add, kind, encode, drawn)
    adder(catalogue, "heic")("ten-bit", heif_enc(deep(small), "-b", "10"), small.size)
    adder(catalogue, "heic")("thumbnail", heif_enc(webp.png_of(drawn), "-t", "120"),
                             note="with a thumbnail item")
    adder(catalogue, "heic")("exif-thumbnail", with_exif_thumbnail(drawn),
                             note="120 x 80 in its Exif, without a thumbnail item")
    avif = adder(catalogue, "avif")
    avif("ten-bit", avifenc(deep(small), "-d", "10"), small.size)
    avif("twelve-bit-444", avifenc(deep(small), "-d", "12", "-y", "444"), small.size)
    avif("grey", avifenc(webp.png_of(drawn), "-y", "400"))
    add_sequence(avif)
    adder(catalogue, "heic")("icc-p3", with_profile(drawn), note="stored numbers are Display P3")


def adder(catalogue, kind):
    def add(name, data, size=SIZE, **facts):
        return catalogue.add(f"{kind}/{name}.{kind}", data, kind, size, **facts)
    return add


def add_composed(add, kind, encode, drawn):
    """What the encoders cannot make: a grid, turned, mirrored and cropped pictures."""
    brands = {"brand": kind.encode(), "compatible": (b"mif1", kind.encode(), b"miaf")}
    for quarters, orientation in ((1, 8), (2, 3), (3, 6)):
        turned = item(encode(scene.turned(drawn, orientation)), rotation(quarters))
        add(f"rotated-{90 * quarters}", file([turned], **brands),
            note=f"irot: {90 * quarters} degrees against the clock")
    for axis, orientation in ((0, 4), (1, 2)):
        mirrored = item(encode(scene.turned(drawn, orientation)), mirror(axis))
        add(f"mirrored-{axis}", file([mirrored], **brands), note=f"imir axis {axis}")
    wider = scene.Image.new("RGB", (560, 400))
    wider.paste(drawn, (40, 40))
    add("cropped", file([item(encode(wider), clean_aperture(*SIZE))], **brands),
        note="clap: the middle of 560 x 400")
    plain = {**brands, "brand": b"mif1"}
    add("structural-brand", file([item(encode(drawn))], **plain), note="major brand mif1")
    add("grid", tiled(drawn, encode, brands), note="2 x 2 tiles of 256 x 256, cut at the edges")


def item(encoded, *properties):
    """An encoder's picture with properties of our own."""
    code, data, kept = coded_picture(encoded)
    return Item(code, data, [*kept, *properties])


def tiled(drawn, encode, brands):
    canvas = drawn.crop((0, 0, 512, 512))
    tiles = []
    for y in (0, 256):
        for x in (0, 256):
            tile = item(encode(canvas.crop((x, y, x + 256, y + 256))))
            tile.hidden = True
            tiles.append(tile)
    whole = Item(b"grid", grid(2, 2, *SIZE), [size_property(*SIZE)], [(b"dimg", [2, 3, 4, 5])])
    return file([whole, *tiles], **brands)


def with_profile(drawn):
    code, data, properties = coded_picture(heif_enc(webp.png_of(drawn)))
    kept = [entry for entry in properties if entry[4:8] != b"colr"]
    colour = box(b"colr", b"prof", icc.display_p3())
    return file([Item(code, data, [*kept, colour])])


def with_exif_thumbnail(drawn):
    small = jpeg.cjpeg(drawn.resize((120, 80), scene.Image.Resampling.LANCZOS))
    picture = jpeg.exiftool(jpeg.cjpeg(drawn), "-ThumbnailImage<=thumbnail.jpg", thumbnail_jpg=small)
    return convert(["heif-enc", "-q", "60", "-o", "out.heic", "in.jpg"], {"in.jpg": picture}, "out.heic")


def timeless(data):
    """The same film without the times of its making (ISO/IEC 14496-12 §8.2.2, version 1)."""
    for kind in (b"mvhd", b"tkhd", b"mdhd"):
        parts = data.split(kind)
        assert all(part[0] == 1 for part in parts[1:])
        data = kind.join([parts[0], *[part[:4] + bytes(16) + part[20:] for part in parts[1:]]])
    return data


def add_sequence(add):
    size, count = (96, 64), 5
    frames = {f"{i}.png": webp.png_of(scene.clock(*size, i, count)) for i in range(count)}
    command = ["avifenc", "-s", "8", "--timescale", "10", *sorted(frames), "out.avif"]
    add("animated", timeless(convert(command, frames, "out.avif")), size, frames=count,
        expected="unsupportedFormat", note="image sequence, 100 ms a frame")
