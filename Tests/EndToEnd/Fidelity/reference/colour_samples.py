#!/usr/bin/env python3
"""Writes one small picture for each way that colours are stated, into the folder that is named.

Prints `path TAB format` for each. The profiles are Ghostscript's (libgs9-common) and the P3 profile
of media-samples.
"""

import os
import subprocess
import sys
import zlib

import numpy
from PIL import Image

PROFILES = "/usr/share/color/icc/ghostscript/"
SAMPLES = os.path.join(os.path.dirname(__file__), "../../../../media-samples")
WIDTH, HEIGHT = 240, 180


def sweep(planes=3, top=1.0):
    """All hues across, from black over full colour to white downwards, 0...1."""
    hue = numpy.linspace(0, 6, WIDTH)[None, :]
    level = numpy.linspace(0, 2, HEIGHT)[:, None]
    shades = []
    for index in range(planes):
        wave = numpy.clip(numpy.abs((hue + 2 * index) % 6 - 3) - 1, 0, 1)
        shades.append(wave * numpy.clip(level, 0, 1) + (1 - wave) * numpy.clip(level - 1, 0, 1))
    return numpy.stack(shades, -1) * top


def ramp():
    return numpy.broadcast_to(numpy.linspace(0, 1, WIDTH)[None, :], (HEIGHT, WIDTH))


def eight(values):
    return Image.fromarray((values * 255).round().astype("uint8"))


def profile(name):
    with open(PROFILES + name + ".icc", "rb") as file:
        return file.read()


def chunk(kind, payload):
    body = kind + payload
    return len(payload).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")


def deep_png(path, values, *chunks):
    """A PNG of 16 bits a sample, gray or RGB, with the chunks given."""
    samples = (values * 65535).round().astype(">u2")
    kind = 0 if samples.ndim == 2 else 2
    head = (samples.shape[1].to_bytes(4, "big") + samples.shape[0].to_bytes(4, "big")
            + bytes([16, kind, 0, 0, 0]))
    rows = b"".join(b"\0" + row.tobytes() for row in samples)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + b"".join(chunks)
                   + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def icc_chunk(data):
    return chunk(b"iCCP", b"profile\0\0" + zlib.compress(data))


def main(folder):
    at = lambda name: os.path.join(folder, name)
    with Image.open(os.path.join(SAMPLES, "png/icc-p3.png")) as image:
        p3 = image.info["icc_profile"]
    spaces = {"p3": p3, "adobe": profile("a98"), "prophoto": profile("rommrgb")}
    for name, data in spaces.items():
        eight(sweep()).save(at(name + ".jpg"), quality=95, subsampling=0, icc_profile=data)
        eight(sweep()).save(at(name + ".png"), icc_profile=data)
        eight(sweep()).save(at(name + ".webp"), lossless=True, icc_profile=data)
        deep_png(at(name + "-16.png"), sweep(), icc_chunk(data))
    for name in ("sgray", "default_gray"):
        eight(ramp()).save(at(name + ".jpg"), quality=95, icc_profile=profile(name))
        eight(ramp()).save(at(name + ".png"), icc_profile=profile(name))
        deep_png(at(name + "-16.png"), ramp(), icc_chunk(profile(name)))
    inks = numpy.concatenate([sweep() * 0.9, ramp()[..., None] * 0.5], -1)
    cmyk = Image.frombytes("CMYK", (WIDTH, HEIGHT), (inks * 255).round().astype("uint8").tobytes())
    cmyk.save(at("cmyk-profile.jpg"), quality=95, icc_profile=profile("default_cmyk"))
    cmyk.save(at("cmyk-plain.jpg"), quality=95)
    linear = chunk(b"gAMA", (100000).to_bytes(4, "big"))
    wide = chunk(b"cHRM", b"".join(v.to_bytes(4, "big") for v in (
        31270, 32900, 70800, 29200, 17000, 79700, 13100, 4600)))
    deep_png(at("linear-16.png"), sweep(), linear)
    deep_png(at("linear-wide-16.png"), sweep(), linear, wide)
    deep_png(at("linear-gray-16.png"), ramp(), linear)
    for name, primaries, transfer in (("pq", 9, 16), ("pq-p3", 12, 16), ("hlg", 9, 18)):
        deep_png(at(name + ".png"), sweep(top=0.8),
                 chunk(b"cICP", bytes([primaries, transfer, 0, 1])))
        subprocess.run(
            ["avifenc", "-d", "10", "--min", "0", "--max", "0", "-y", "444", "--cicp",
             "%d/%d/9" % (primaries, transfer), at(name + ".png"), at(name + ".avif")],
            check=True, capture_output=True)
    for name in sorted(os.listdir(folder)):
        kind = {"jpg": "jpeg"}.get(name.rsplit(".")[-1], name.rsplit(".")[-1])
        print(at(name), kind, sep="\t")


if __name__ == "__main__":
    main(sys.argv[1])
