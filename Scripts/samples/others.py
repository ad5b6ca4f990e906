"""What is recognised by name and not decoded, what is misnamed, what ends early, and pages."""

import io
import zipfile

from PIL import Image

import isobmff
import jpeg
import png
import scene

UNSUPPORTED, NOT_MEDIA = "unsupportedFormat", "notMedia"


def add_all(catalogue):
    add_named(catalogue)
    add_misnamed(catalogue)
    add_truncated(catalogue)
    add_pages(catalogue)


def saved(picture, format, **options):
    data = io.BytesIO()
    picture.save(data, format, **options)
    return data.getvalue()


def add_named(catalogue):
    def add(name, data, format, expected=UNSUPPORTED, size=None, note=""):
        catalogue.add(f"other/{name}", data, format, size, expected=expected, note=note)

    drawn = scene.landscape(96, 64)
    add("drawn.bmp", saved(drawn, "BMP"), "bmp")
    add("drawn.tiff", saved(drawn, "TIFF", compression="tiff_deflate"), "tiff")
    add("drawn.ico", saved(drawn.resize((32, 32)), "ICO", sizes=[(32, 32)]), "ico")
    add("codestream.jxl", b"\xff\x0a" + bytes(range(64)), "jxl", note="a signature, no picture")
    add("container.jxl", isobmff.box(b"JXL ", b"\r\n\x87\n")
        + isobmff.box(b"ftyp", b"jxl ", bytes(4), b"jxl "), "jxl", note="a signature, no picture")
    add("signature.jp2", isobmff.box(b"jP  ", b"\r\n\x87\n")
        + isobmff.box(b"ftyp", b"jp2 ", bytes(4), b"jp2 "), "jp2", note="a signature, no picture")
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>'
    add("drawn.svg", svg, "svg")
    prolog = b'<?xml version="1.0" encoding="UTF-8"?>\n<!-- drawn by hand -->\n'
    add("prolog.svg", b"\xef\xbb\xbf" + prolog + svg, "svg",
        note="byte order mark, XML prolog and comment first")
    page = b"<!DOCTYPE html>\n<title>Gone</title><p>The picture has moved.\n"
    add("page.html", page, "html", NOT_MEDIA)
    add("page-utf16.html", page.decode().encode("utf-16"), "html", NOT_MEDIA)
    add("empty.pdf", pdf(), "pdf", NOT_MEDIA)
    add("archive.zip", archive(), "zip", NOT_MEDIA)
    add("text.txt", b"Plain text, no picture.\n", "unknown", NOT_MEDIA)
    add("empty.jpg", b"", "unknown", NOT_MEDIA, note="no byte at all")


def pdf():
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[]/Count 0>>"]
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj%s endobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return data + (b"xref\n0 3\n0000000000 65535 f \n%strailer<</Root 1 0 R/Size 3>>\n"
                   b"startxref\n%d\n%%%%EOF\n") % (table, len(data))


def archive():
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr(zipfile.ZipInfo("note.txt"), "not a picture")
    return data.getvalue()


def add_misnamed(catalogue):
    def copy(name, source, note):
        drawn = next(s for s in catalogue.samples if s["path"] == source)
        size = (drawn["width"], drawn["height"]) if drawn["width"] else None
        catalogue.add(f"mismatched/{name}", catalogue.read(source), drawn["format"], size,
                      alpha=drawn["hasAlpha"], frames=drawn["frames"],
                      expected=drawn["expected"], note=note)

    copy("webp.jpg", "webp/lossy.webp", "WebP named .jpg")
    copy("jpeg.png", "jpeg/baseline.jpg", "JPEG named .png")
    copy("png", "png/rgb-8.png", "PNG without an extension")
    copy("gif.jpeg", "gif/animated.gif", "animated GIF named .jpeg")
    copy("heic.jpg", "heic/single.heic", "HEIC named .jpg")
    copy("page.jpg", "other/page.html", "an error page named .jpg")
    copy("film.gif", "video/h264.mp4", "MP4 named .gif")


# Of each cut file its name, the whole one and the length.
CUT = []


def add_truncated(catalogue):
    """The first part of good files, and facts of the whole."""
    shares = [("jpeg/baseline.jpg", 0.6), ("jpeg/progressive.jpg", 0.6), ("png/rgb-8.png", 0.6),
              ("png/interlaced-rgb-8.png", 0.7), ("gif/still.gif", 0.6), ("gif/animated.gif", 0.5),
              ("webp/lossy.webp", 0.6), ("webp/lossless.webp", 0.6), ("heic/single.heic", 0.6),
              ("avif/single.avif", 0.6), ("video/h264.mp4", 0.6)]
    for source, share in shares:
        name = source.replace("/", "-").replace("jpeg-", "").replace("png-", "")
        cut(catalogue, name, source, int(len(catalogue.read(source)) * share), f"first {share:.0%}")
    scans = jpeg.scan_ends(catalogue.read("jpeg/progressive.jpg"))
    for count in (1, 4):
        cut(catalogue, f"progressive-scans-{count}.jpg", "jpeg/progressive.jpg", scans[count - 1],
            f"first {count} of {len(scans)} scans")
    passes = png.pass_ends(catalogue.read("png/interlaced-rgb-8.png"))
    for count in (3, 5):
        cut(catalogue, f"interlaced-passes-{count}.png", "png/interlaced-rgb-8.png",
            passes[count - 1], f"first {count} of 7 passes")
    catalogue.add("truncated/header-only.jpg", catalogue.read("jpeg/baseline.jpg")[:300], "jpeg",
                  expected="corrupt", note="ends before the size")


def cut(catalogue, name, source, length, part):
    drawn = next(s for s in catalogue.samples if s["path"] == source)
    catalogue.add(
        f"truncated/{name}", catalogue.read(source)[:length], drawn["format"],
        (drawn["width"], drawn["height"]), frames=drawn["frames"], expected="corrupt",
        note=f"the {part} of {source}")
    CUT.append((name, source, length))


def add_pages(catalogue):
    for name, body in PAGES.items():
        catalogue.add(f"pages/{name}.html", body.encode(), "html", expected=NOT_MEDIA,
                      note="to be read for its picture, publisher and title")


PAGES = {
    "open-graph": """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<title>Arrow points right - The Sample Gazette</title>
<meta property="og:title" content="Arrow points right">
<meta property="og:site_name" content="The Sample Gazette">
<meta property="og:image" content="../jpeg/large.jpg">
<meta property="og:image:alt" content="A drawn landscape with an arrow">
</head><body><article><p>Nothing happened.</p></article></body></html>
""",
    "linked-data": """<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>Clock &amp; hand</title>
<base href="../">
<script type="application/ld+json">
{"@context": "https://schema.org", "@type": "NewsArticle", "image": ["gif/animated.gif"],
 "publisher": {"@type": "Organization", "name": "Clock Weekly"}}
</script></head><body><h1>Clock &amp; hand</h1></body></html>
""",
    "article-image": """<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>No metadata here</title>
<link rel="apple-touch-icon" href="../png/rgb-8.png"></head>
<body><img src="../gif/still.gif" width="150" height="100">
<article><img src="../png/rgb-8.png" width="150" height="100">
<img src="../jpeg/large.jpg" width="2400" height="1600" alt="The largest"></article></body></html>
""",
}
