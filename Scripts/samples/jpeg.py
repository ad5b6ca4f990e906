"""JPEG samples: libjpeg-turbo's cjpeg, Pillow for CMYK, exiftool for metadata."""

import io
import struct

from PIL import Image, ImageCms

import icc
import scene
from catalogue import convert

SIZE = (480, 320)
GPS = ["-GPSLatitude=52.5", "-GPSLatitudeRef=N", "-GPSLongitude=13.4", "-GPSLongitudeRef=E"]


def ppm(picture):
    data = io.BytesIO()
    picture.save(data, "PPM")
    return data.getvalue()


def cjpeg(picture, *options):
    command = ["cjpeg", "-quality", "85", *options, "-outfile", "out.jpg", "in.ppm"]
    return convert(command, {"in.ppm": ppm(picture)}, "out.jpg")


def exiftool(data, *options, **files):
    inputs = {"in.jpg": data, **{name.replace("_", "."): value for name, value in files.items()}}
    return convert(["exiftool", "-q", "-o", "out.jpg", *options, "in.jpg"], inputs, "out.jpg")


def add_all(catalogue):
    def add(name, data, size=SIZE, **facts):
        return catalogue.add(f"jpeg/{name}", data, "jpeg", size, **facts)

    drawn = scene.landscape(*SIZE, "jpeg")
    baseline = add("baseline.jpg", cjpeg(drawn, "-baseline"), note="4:2:0")
    add("photograph", baseline, note="no extension")
    add("progressive.jpg", cjpeg(drawn, "-progressive"), note="ten scans")
    add("grey.jpg", cjpeg(drawn, "-grayscale"))
    add("restart.jpg", cjpeg(drawn, "-restart", "1"), note="a restart marker after each row")
    for name, sampling in [("444", "1x1"), ("422", "2x1"), ("440", "1x2"), ("411", "4x1")]:
        add(f"sampling-{name}.jpg", cjpeg(drawn, "-sample", sampling))
    add("odd-size.jpg", cjpeg(scene.landscape(483, 321, "odd")), (483, 321),
        note="neither side a multiple of 8")
    large = scene.landscape(2400, 1600, "large")
    add("large.jpg", cjpeg(large, "-quality", "70"), large.size, note="larger than every box")
    add("large-progressive.jpg", cjpeg(large, "-quality", "70", "-progressive"), large.size)
    add_orientations(add)
    add_colours(add, drawn)
    thumbnail = cjpeg(drawn.resize((160, 107), Image.Resampling.LANCZOS))
    add("embedded-thumbnail.jpg", exiftool(baseline, "-ThumbnailImage<=thumbnail.jpg",
                                           thumbnail_jpg=thumbnail), note="160 x 107 in its Exif")
    add("comments.jpg", exiftool(baseline, "-Comment=secret place", "-XMP:Creator=A. Person",
                                 "-Artist=A. Person", *GPS), note="comment, XMP, Exif, GPS")


def add_orientations(add):
    upright = scene.landscape(*SIZE, "upright")
    for orientation in range(1, 9):
        stored = cjpeg(scene.turned(upright, orientation))
        tagged = exiftool(stored, "-n", f"-Orientation={orientation}", *GPS)
        add(f"orientation-{orientation}.jpg", tagged, orientation=orientation,
            note="with GPS position")


def add_colours(add, drawn):
    p3 = icc.display_p3()
    srgb = ImageCms.createProfile("sRGB")
    wide = ImageCms.profileToProfile(drawn, srgb, ImageCms.ImageCmsProfile(io.BytesIO(p3)))
    add("display-p3.jpg", saved(wide, quality=85, icc_profile=p3), note="Display P3 profile")
    broken = p3[:200]
    add("broken-profile.jpg", saved(drawn, quality=85, icc_profile=broken),
        note="the profile ends early; shown as sRGB")
    inks = drawn.convert("CMYK")
    adobe = saved(inks, quality=85)
    add("cmyk-adobe.jpg", adobe, note="Adobe marker: 255 is no ink")
    # Readers agree that such a file holds 255 for no ink too.
    add("cmyk-plain.jpg", without_segment(adobe, 0xEE), note="no Adobe marker, stored the same way")
    add("ycck-adobe.jpg", ycck(drawn), note="Adobe transform 2")


def ycck(drawn):
    """No black ink: the other three as luminance and colour differences of the inverted picture.
    Pillow inverts what it writes as CMYK, and marks it as transform 0."""
    inverted = Image.eval(drawn, lambda v: 255 - v).convert("YCbCr")
    planes = [Image.eval(plane, lambda v: 255 - v) for plane in inverted.split()]
    data = saved(Image.merge("CMYK", (*planes, Image.new("L", drawn.size, 0))), quality=85)
    place = data.index(b"Adobe") + 11
    assert data[place] == 0
    return data[:place] + b"\x02" + data[place + 1:]


def saved(picture, **options):
    data = io.BytesIO()
    picture.save(data, "JPEG", **options)
    return data.getvalue()


def without_segment(data, marker):
    """The same file without the segments of one marker."""
    result, offset = data[:2], 2
    while data[offset + 1] != 0xDA:
        length = 2 + struct.unpack(">H", data[offset + 2:offset + 4])[0]
        if data[offset + 1] != marker:
            result += data[offset:offset + length]
        offset += length
    return result + data[offset:]


def scan_ends(data):
    """Where each scan's data end (ITU-T T.81 §B.1.1)."""
    ends, place = [], 2
    while data[place + 1] != 0xD9:
        kind, (length,) = data[place + 1], struct.unpack(">H", data[place + 2:place + 4])
        place += 2 + length
        if kind != 0xDA:
            continue
        while data[place] != 0xFF or data[place + 1] in (0, *range(0xD0, 0xD8)):
            place += 1
        ends.append(place)
    return ends
