"""Pictures as somebody else's decoders show them: upright, RGB in sRGB, straight alpha, floats 0...255."""

import io
import os
import re
import subprocess
import tempfile

import numpy
from PIL import Image, ImageCms

import colour

Image.MAX_IMAGE_PIXELS = None
SRGB = ImageCms.createProfile("sRGB")


class Unreadable(Exception):
    """The reference decoder cannot read the file either."""


def decode(path, kind):
    """The first frame and its alpha (or None), as displayed."""
    return heif(path) if kind in ("heic", "avif") else raster(path)


def raster(path):
    try:
        return by_pillow(path)
    except Image.UnidentifiedImageError:
        return by_ffmpeg(path)


def later_frames(path, kind, most=500):
    """The frames after the first of an animated GIF, PNG or WebP, composed: each may be the still
    that stands for it."""
    if kind not in ("gif", "png", "webp"):
        return
    with Image.open(path) as image:
        count = min(most, getattr(image, "n_frames", 1))
        if count > 1 and kind == "gif":
            yield from coalesced(path, *image.size)
            return
        for number in range(1, count):
            image.seek(number)
            yield converted(image)


def coalesced(path, width, height):
    """A GIF's frames by ImageMagick: Pillow paints canvas that a frame leaves bare."""
    done = subprocess.run(["convert", "gif:" + path, "-coalesce", "-depth", "8", "rgba:-"],
                          capture_output=True, stdin=subprocess.DEVNULL)
    size = width * height * 4
    for start in range(size, len(done.stdout) - size + 1, size):
        frame = numpy.frombuffer(done.stdout[start:start + size], "u1")
        frame = frame.reshape(height, width, 4).astype(numpy.float32)
        yield frame[..., :3], frame[..., 3]


def by_ffmpeg(path):
    """What Pillow does not open, upright and in sRGB already."""
    shape = run("ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
                "stream=width,height", "-of", "csv=p=0", path).stdout.strip().split(",")
    data = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-frames:v", "1", "-f", "rawvideo",
                           "-pix_fmt", "rgba", "-"], capture_output=True,
                          stdin=subprocess.DEVNULL).stdout
    if len(shape) < 2 or not shape[0] or len(data) != int(shape[0]) * int(shape[1]) * 4:
        raise Unreadable("neither Pillow nor ffmpeg")
    samples = numpy.frombuffer(data, "u1").reshape(int(shape[1]), int(shape[0]), 4)
    samples = samples.astype(numpy.float32)
    alpha = samples[..., 3]
    return samples[..., :3], None if alpha.min() == 255 else alpha


def by_pillow(path):
    """JPEG, PNG, GIF and WebP by Pillow; 16-bit PNG by ffmpeg, since Pillow drops its low bytes."""
    with Image.open(path) as image:
        kind = image.format
        extent = image.tile[0][1] if kind == "GIF" and image.tile else None
        turn = orientation(image)
        image.load()
        if kind == "PNG" and is_deep(path):
            pixels, alpha = deep_png(path, image)
        else:
            pixels, alpha = converted(image)
        if kind == "PNG":
            alpha = shallow_transparency(path, pixels, alpha)
            pixels = png_colour(pixels, image, path)
        if extent:
            alpha = within(extent, pixels, alpha)
    return turned(pixels, turn), None if alpha is None else turned(alpha, turn)


def within(extent, pixels, alpha):
    """Where the first frame of a GIF leaves the canvas bare it is transparent, as browsers show it;
    Pillow paints it."""
    left, top, right, bottom = extent
    bare = numpy.zeros(pixels.shape[:2], numpy.float32)
    bare[top:bottom, left:right] = 255 if alpha is None else alpha[top:bottom, left:right]
    return bare


def shallow_transparency(path, pixels, alpha):
    """tRNS of gray with less than 8 bits, which Pillow compares with the widened sample."""
    with open(path, "rb") as file:
        head = file.read(26)
    depth, kind = head[24], head[25]
    key = chunks(path).get(b"tRNS")
    if kind != 0 or depth >= 8 or not key:
        return alpha
    largest = (1 << depth) - 1
    value = (int.from_bytes(key, "big") & largest) * (255 // largest)
    return numpy.where(pixels[..., 0] == value, 0, 255).astype(numpy.float32)


def orientation(image):
    """Of the Exif block; Pillow would also look into XMP and text, which no browser does."""
    block = image.info.get("exif")
    if not block or image.format == "GIF":
        return 1
    exif = Image.Exif()
    try:
        exif.load(block)
    except (SyntaxError, ValueError, OSError):
        return 1
    value = exif.get(0x0112, 1)
    return value if value in range(1, 9) else 1


def turned(plane, value):
    """The transforms of Exif 2.32, tag 0x0112."""
    if value in (5, 6, 7, 8):
        plane = plane.swapaxes(0, 1)
    flips = {2: (1,), 3: (0, 1), 4: (0,), 6: (1,), 7: (0, 1), 8: (0,)}.get(value, ())
    for axis in flips:
        plane = numpy.flip(plane, axis)
    return plane


def converted(image):
    """RGB in sRGB by lcms2, relative colorimetric with black point compensation."""
    alpha = None
    if image.mode in ("P", "PA", "LA", "RGBA", "La", "RGBa") or "transparency" in image.info:
        whole = image.convert("RGBA")
        alpha = numpy.asarray(whole.getchannel("A"), numpy.float32)
        grey = image.mode in ("L", "LA", "1")
        image_rgb = whole.convert("RGB")
        base = image_rgb.getchannel("R") if grey else image_rgb
    else:
        base = image
    base.info = dict(image.info)
    if alpha is not None and alpha.min() == 255:
        alpha = None
    return numpy.asarray(by_profile(base, image.info.get("icc_profile")), numpy.float32), alpha


def by_profile(image, profile):
    if image.mode in ("1", "I;16", "I", "F"):
        if image.mode.startswith("I"):
            return Image.fromarray((numpy.asarray(image, numpy.float64) / 257).round().astype("uint8")).convert("RGB")
        image = image.convert("L")
    if profile:
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            space = source.profile.xcolor_space.strip()
            if space == {"L": "GRAY", "RGB": "RGB", "CMYK": "CMYK"}.get(image.mode):
                return ImageCms.profileToProfile(
                    image, source, SRGB, renderingIntent=1, outputMode="RGB", flags=0x2000)
        except (ImageCms.PyCMSError, OSError, ValueError):
            pass
    if image.mode == "CMYK":
        # CSS Color 4, 7: the naive conversion.
        ink = 255 - numpy.asarray(image, numpy.float32)
        return ink[..., :3] * ink[..., 3:] / 255
    return image.convert("RGB")


def is_deep(path):
    with open(path, "rb") as file:
        return file.read(25)[24:25] == b"\x10"


def deep_png(path, image):
    width, height = image.size
    call = ["ffmpeg", "-v", "error", "-f", "png_pipe", "-i", path, "-frames:v", "1", "-f", "rawvideo",
            "-pix_fmt", "rgba64le", "-"]
    data = subprocess.run(call, capture_output=True, stdin=subprocess.DEVNULL).stdout
    if len(data) != width * height * 8:
        raise Unreadable("ffmpeg")
    samples = numpy.frombuffer(data, "<u2").reshape(height, width, 4).astype(numpy.float32) / 257
    pixels, alpha = samples[..., :3], samples[..., 3]
    profile = image.info.get("icc_profile")
    if profile:
        exact = colour.by_matrix_profile(pixels, profile)
        pixels = by_table(pixels, profile) if exact is None else exact
    return pixels, None if alpha.min() == 255 else alpha


def by_table(pixels, profile):
    """By lcms2, which Pillow offers for 8 bits only."""
    grey = ImageCms.ImageCmsProfile(io.BytesIO(profile)).profile.xcolor_space.strip() == "GRAY"
    eight = Image.fromarray(pixels.round().astype("uint8"))
    return numpy.asarray(
        by_profile(eight.getchannel("R") if grey else eight, profile), numpy.float32)


def chunks(path):
    """The types and payloads of a PNG's chunks before its image data."""
    found = {}
    with open(path, "rb") as file:
        data = file.read(4_000_000)
    at = 8
    while at + 8 <= len(data):
        length = int.from_bytes(data[at:at + 4], "big")
        kind = data[at + 4:at + 8]
        if kind == b"IDAT":
            break
        found[kind] = data[at + 8:at + 8 + length]
        at += length + 12
    return found


def png_colour(pixels, image, path):
    """PNG 3, 11.3.2: cICP, else iCCP (applied by now), else sRGB, else gAMA and cHRM."""
    found = chunks(path)
    if len(found.get(b"cICP", b"")) == 4:
        points = found[b"cICP"]
        return colour.coded(pixels, points[0], points[1])
    if "icc_profile" in image.info or b"sRGB" in found:
        return pixels
    gamma = int.from_bytes(found[b"gAMA"], "big") / 1e5 if b"gAMA" in found else None
    primaries = None
    if len(found.get(b"cHRM", b"")) == 32:
        values = [int.from_bytes(found[b"cHRM"][i:i + 4], "big") / 1e5 for i in range(0, 32, 4)]
        primaries = [values[2:4], values[4:6], values[6:8], values[0:2]]
    return colour.calibrated(pixels, gamma, primaries)


def heif(path):
    """AVIF by libavif's decoder, HEIC by libheif's converter, both at the depth of the file."""
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "picture.png")
        transforms = by_avifdec(path, output)
        if transforms is None:
            output, transforms = by_heif_convert(path, output), []
        with Image.open(output) as image:
            image.load()
            if is_deep(output):
                pixels, alpha = deep_png(output, image)
            else:
                pixels, alpha = converted(image)
    points = code_points(path)
    if points and (points[1] in (16, 18) or "icc_profile" not in image.info):
        pixels = colour.coded(pixels, *points)
    for change in transforms:
        pixels, alpha = change(pixels), None if alpha is None else change(alpha)
    return pixels, alpha


def run(*call):
    return subprocess.run(call, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def by_avifdec(path, output):
    """Decodes; gives the transforms that avifdec names and leaves to others."""
    info = run("avifdec", "--info", "--no-strict", path)
    depth = re.search(r"Bit Depth +: (\d+)", info.stdout)
    if info.returncode or not depth:
        return None
    deep = ["-d", "16"] if int(depth[1]) > 8 else []
    for leave in ([], ["--ignore-icc"]):
        done = run("avifdec", "--no-strict", "--upsampling", "bilinear", *deep, *leave, path, output)
        if done.returncode == 0:
            break
    else:
        raise Unreadable((done.stdout + done.stderr)[-200:])
    changes = []
    aperture = re.search(r"Valid, derived crop rect: X: (\d+), Y: (\d+), W: (\d+), H: (\d+)",
                         info.stdout)
    if aperture:
        x, y, w, h = map(int, aperture.groups())
        changes.append(lambda plane: plane[y:y + h, x:x + w])
    quarters = re.search(r"irot \(Rotation\) +: (\d)", info.stdout)
    if quarters:
        changes.append(lambda plane: numpy.rot90(plane, int(quarters[1])))
    mirror = re.search(r"imir \(Mirror\) +: (?:Mode )?(\d)", info.stdout)
    if mirror:
        changes.append(lambda plane: numpy.flip(plane, int(mirror[1])))
    return changes


def by_heif_convert(path, output):
    """The primary picture; the converter writes each top-level one, in the order that heif-info has."""
    done = run("heif-convert", path, output)
    written = re.findall(r"Written to (\S+)", done.stdout)
    if not written:
        # libpng refuses some profiles; without one, vips writes none.
        done = run("vips", "copy", path, output + "[strip]")
        if done.returncode:
            run("ffmpeg", "-v", "error", "-y", "-i", path, "-frames:v", "1", output)
        if not os.path.exists(output) or not os.path.getsize(output):
            raise Unreadable("neither libavif nor libheif nor ffmpeg")
        return output
    pictures = [line for line in run("heif-info", path).stdout.splitlines()
                if line.startswith("image:")]
    primary = [index for index, line in enumerate(pictures) if "primary" in line]
    return written[primary[0] if primary and len(written) == len(pictures) else 0]


def code_points(path):
    with open(path, "rb") as file:
        data = file.read(200_000)
    at = data.find(b"colrnclx")
    if at < 0:
        return None
    return tuple(int.from_bytes(data[at + 8 + i:at + 10 + i], "big") for i in (0, 2))
