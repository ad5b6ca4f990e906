"""The pictures of the benchmark: drawn scenes with grain, 0.3 to 24 megapixels, and files of
media-samples. Each is made once and kept; a download gets one that differs by its number."""
import io, json, os, struct, sys, zlib

# Name, megapixels, format, options. Those with a thumbnail carry one in Exif, as cameras write it.
KINDS = [
    ("jpeg-0.3", 0.3, "JPEG", {}), ("jpeg-1", 1, "JPEG", {}), ("jpeg-3", 3, "JPEG", {}),
    ("jpeg-8", 8, "JPEG", {"thumbnail": True}), ("jpeg-12", 12, "JPEG", {"thumbnail": True}),
    ("jpeg-24", 24, "JPEG", {"thumbnail": True}),
    ("progressive-2", 2, "JPEG", {"progressive": True}),
    ("progressive-8", 8, "JPEG", {"progressive": True}),
    ("png-0.5", 0.5, "PNG", {}), ("png-2", 2, "PNG", {}), ("png-6", 6, "PNG", {}),
    ("webp-1", 1, "WEBP", {}), ("webp-4", 4, "WEBP", {}), ("webp-12", 12, "WEBP", {}),
]
SAMPLES = {
    "sample-jpeg": "jpeg/large.jpg", "sample-png": "png/large.png", "sample-webp": "webp/large.webp",
    "sample-heic": "heic/grid.heic", "sample-avif": "avif/grid.avif", "sample-gif": "gif/still.gif",
}

def make(folder):
    """Names to (path, pixels)."""
    os.makedirs(folder, exist_ok=True)
    pictures = {}
    for name, megapixels, form, options in KINDS:
        path = f"{folder}/{name}"
        width, height = size(megapixels)
        if not os.path.exists(path):
            draw(path, width, height, form, options)
        pictures[name] = (path, width * height)
    with open("media-samples/samples.json") as file:
        catalogue = {entry["path"]: entry for entry in json.load(file)["samples"]}
    for name, path in SAMPLES.items():
        entry = catalogue[path]
        pictures[name] = (f"media-samples/{path}", entry["width"] * entry["height"])
    return pictures

def size(megapixels):
    height = int((megapixels * 1e6 * 3 / 4) ** 0.5)
    return height * 4 // 3, height

def draw(path, width, height, form, options):
    from PIL import Image
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../Scripts/samples"))
    import scene
    picture = scene.landscape(width, height).convert("RGB")
    grain = Image.effect_noise((width, height), 60).convert("RGB")
    picture = Image.blend(picture, grain, 0.12)
    settings = {"JPEG": {"quality": 88}, "PNG": {"compress_level": 6}, "WEBP": {"quality": 82}}[form]
    if options.get("progressive"):
        settings["progressive"] = True
    if options.get("thumbnail"):
        small = io.BytesIO()
        picture.resize((320, 240)).save(small, "JPEG", quality=80)
        settings["exif"] = exif(small.getvalue())
    picture.save(path + ".new", form, **settings)
    os.rename(path + ".new", path)

def exif(thumbnail):
    """An Exif block that holds nothing but a thumbnail (Exif 2.32 §4.5.8: JPEGInterchangeFormat)."""
    start = 8 + 6 + 2 + 2 * 12 + 4
    first = struct.pack("<HI", 0, 14)
    second = struct.pack("<H", 2) + struct.pack("<HHII", 0x201, 4, 1, start) + struct.pack(
        "<HHII", 0x202, 4, 1, len(thumbnail)) + struct.pack("<I", 0)
    return b"Exif\0\0II*\0" + struct.pack("<I", 8) + first + second + thumbnail

def head_and_tail(data, number):
    """The bytes of a picture in two parts, between or after which its number stands: no two
    downloads are alike, so that nothing is cached."""
    mark = b"%08d" % number
    if data.startswith(b"\xff\xd8"):
        return data[:2] + b"\xff\xfe\0\x0a" + mark, 2
    if data.startswith(b"\x89PNG"):
        chunk = b"tEXtn\0" + mark
        return data[:33] + struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(
            ">I", zlib.crc32(chunk)), 33
    return None, 0
