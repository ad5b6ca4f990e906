"""WebP samples: cwebp, gif2webp and webpmux of libwebp."""

import io

import icc
import png
import scene
from catalogue import convert

SIZE = (480, 320)


def png_of(picture):
    data = io.BytesIO()
    picture.save(data, "PNG")
    return data.getvalue()


def cwebp(picture, *options):
    command = ["cwebp", "-quiet", *options, "in.png", "-o", "out.webp"]
    return convert(command, {"in.png": png_of(picture)}, "out.webp")


def webpmux(data, kind, payload):
    command = ["webpmux", "-set", kind, "payload", "in.webp", "-o", "out.webp"]
    return convert(command, {"in.webp": data, "payload": payload}, "out.webp")


def add_all(catalogue):
    def add(name, data, size=SIZE, **facts):
        return catalogue.add(f"webp/{name}.webp", data, "webp", size, **facts)

    drawn = scene.landscape(*SIZE, "webp")
    badge = scene.badge(180, 120)
    lossy = add("lossy", cwebp(drawn, "-q", "80"))
    add("lossless", cwebp(drawn, "-lossless", "-z", "9"))
    add("lossy-alpha", cwebp(badge, "-q", "80"), badge.size, alpha=True)
    add("lossless-alpha", cwebp(badge, "-lossless", "-z", "9"), badge.size, alpha=True)
    large = scene.landscape(2000, 1334, "large")
    add("large", cwebp(large, "-q", "60"), large.size, note="larger than every box")
    add("icc-p3", webpmux(lossy, "icc", icc.display_p3()),
        note="stored numbers are Display P3: more saturated than lossy.webp")
    upright = cwebp(scene.turned(drawn, 6), "-q", "80")
    add("orientation-6", webpmux(upright, "exif", png.exif(6)), orientation=6)
    add("animated", convert(["gif2webp", "-quiet", "-q", "70", "in.gif", "-o", "out.webp"],
                            {"in.gif": catalogue.read("gif/animated.gif")}, "out.webp"),
        (96, 64), frames=8, note="for ever, 100 ms a frame")
    add("animated-disposals", convert(["gif2webp", "-quiet", "in.gif", "-o", "out.webp"],
                                  {"in.gif": catalogue.read("gif/disposals.gif")}, "out.webp"),
        (96, 64), frames=4, alpha=True, note="from gif/disposals.gif")
