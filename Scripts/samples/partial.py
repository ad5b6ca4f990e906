"""What the cut files of truncated/ show: pictures of at most 128 pixels, made by other decoders.

djpeg and libwebp's incremental decoder read the cut file itself; of the others Pillow reads the whole
file, and what had not come is left out or filled as the format says.
"""

import ctypes
import io
import subprocess

from PIL import Image, ImageFile

import png
import webp
from others import CUT

SIDE = 128


def add_all(catalogue):
    for name, source, length in CUT:
        if source.split("/")[0] in ("heic", "avif", "video"):
            continue
        whole, cut = catalogue.read(source), catalogue.read(f"truncated/{name}")
        assert cut == whole[:length]
        show = {"jpeg": jpeg, "png": png_rows, "gif": gif, "webp": webp_rows}[source.split("/")[0]]
        if source == "png/interlaced-rgb-8.png":
            show = png_passes
        if source == "jpeg/progressive.jpg":
            show = jpeg_scans
        expected = webp.png_of(bounded(show(cut, whole)))
        catalogue.expect(f"partial/{name.rsplit('.', 1)[0]}.png", expected)


def bounded(picture):
    """The rows that came, as wide as the whole picture would be within the box."""
    width = min(SIDE, picture.width)
    size = (width, max(1, round(picture.height * width / picture.width)))
    return picture.resize(size, Image.Resampling.LANCZOS)


def opened(data):
    picture = Image.open(io.BytesIO(data))
    return picture.convert("RGB")


def common_rows(picture, whole):
    """The rows from the top that are as in the whole picture."""
    rows = 0
    while rows < whole.height and row(picture, rows) == row(whole, rows):
        rows += 1
    return whole.crop((0, 0, whole.width, rows))


def row(picture, y):
    return picture.crop((0, y, picture.width, y + 1)).tobytes()


def djpeg(data):
    # It warns of a file that ends early, and makes a picture all the same.
    return opened(subprocess.run(["djpeg"], input=data, capture_output=True).stdout)


def jpeg(cut, whole):
    return common_rows(djpeg(cut), djpeg(whole))


def jpeg_scans(cut, whole):
    return djpeg(cut)


def cut_by_pillow(cut, whole):
    ImageFile.LOAD_TRUNCATED_IMAGES = True
    try:
        return common_rows(opened(cut), opened(whole))
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = False


png_rows = cut_by_pillow


def gif(cut, whole):
    # Of an animation the first frame came whole.
    return opened(whole) if Image.open(io.BytesIO(whole)).n_frames > 1 else cut_by_pillow(cut, whole)


def png_passes(cut, whole):
    """Each pixel that came stands for the rectangle that its pass leaves to it (PNG, 8.2)."""
    picture = opened(whole)
    known = png.interlaced_pixels(cut, picture.size)
    shown = Image.new("RGB", picture.size)
    spans = [(8, 8), (4, 8), (4, 4), (2, 4), (2, 2), (1, 2), (1, 1)]
    for x, y, number in known:
        across, down = spans[number]
        shown.paste(picture.getpixel((x, y)), (x, y, x + across, y + down))
    return shown


def webp_rows(cut, whole):
    library = ctypes.CDLL("libwebp.so.7")
    library.WebPINewRGB.restype = ctypes.c_void_p
    library.WebPIDecGetRGB.restype = ctypes.c_void_p
    decoder = ctypes.c_void_p(library.WebPINewRGB(0, None, ctypes.c_size_t(0), 0))
    library.WebPIUpdate(decoder, cut, ctypes.c_size_t(len(cut)))
    rows, width, height, stride = (ctypes.c_int() for _ in range(4))
    pixels = library.WebPIDecGetRGB(decoder, *map(ctypes.byref, (rows, width, height, stride)))
    data = ctypes.string_at(pixels, stride.value * rows.value)
    library.WebPIDelete(decoder)
    return Image.frombytes("RGB", (width.value, rows.value), data, "raw", "RGB", stride.value)
