#!/usr/bin/env python3
"""Compares renditions with the pictures that reference decoders show.

The argument is the box, such as 1320x960. Reads lines `path TAB format TAB rendition` from standard input and writes one line for each:
`path TAB expected width TAB expected height TAB width TAB height TAB scaled TAB PSNR TAB SSIM TAB
mean dE2000 TAB 95th percentile`, or `path TAB unreadable TAB reason`.
"""

import math
import sys

import numpy
from PIL import Image

import colour
import decoding


def bounded(width, height, box):
    """The largest size in the box with the picture's shape, never larger than the picture."""
    scale = min(1, box[0] / width, box[1] / height)
    return tuple(max(1, math.floor(side * scale + 0.5)) for side in (width, height))


def lanczos(plane, size):
    """Float Lanczos-3, as wide as the reduction asks for."""
    if plane.ndim == 2:
        image = Image.fromarray(numpy.ascontiguousarray(plane, numpy.float32))
        return numpy.asarray(image.resize(size, Image.LANCZOS))
    return numpy.stack([lanczos(plane[..., i], size) for i in range(plane.shape[2])], -1)


def scaled(pixels, alpha, size):
    if (pixels.shape[1], pixels.shape[0]) == size:
        return pixels, alpha
    if alpha is None:
        return numpy.clip(lanczos(pixels, size), 0, 255), None
    covered = lanczos(pixels * (alpha[..., None] / 255), size)
    alpha = numpy.clip(lanczos(alpha, size), 0, 255)
    pixels = covered * 255 / numpy.maximum(alpha[..., None], 1e-3)
    return numpy.clip(pixels, 0, 255), alpha


def over(pixels, alpha, ground):
    if alpha is None:
        return pixels
    share = alpha[..., None] / 255
    return pixels * share + ground * (1 - share)


def psnr(one, two):
    error = numpy.mean((one.astype(numpy.float64) - two) ** 2)
    return 99.0 if error < 1e-5 else min(99.0, 10 * math.log10(255 ** 2 / error))


def blurred(plane):
    """A Gaussian of 11 taps, sigma 1.5, edges repeated."""
    taps = numpy.exp(-numpy.arange(-5, 6) ** 2 / 4.5)
    taps /= taps.sum()
    for axis in (0, 1):
        pad = [(5, 5) if i == axis else (0, 0) for i in range(plane.ndim)]
        wide = numpy.pad(plane, pad, "edge")
        count = plane.shape[axis]
        plane = sum(t * wide.take(range(i, i + count), axis) for i, t in enumerate(taps))
    return plane


def ssim(one, two):
    """Wang et al. 2004, mean over the three channels."""
    one, two = one.astype(numpy.float64), two.astype(numpy.float64)
    m1, m2 = blurred(one), blurred(two)
    v1, v2 = blurred(one * one) - m1 * m1, blurred(two * two) - m2 * m2
    shared = blurred(one * two) - m1 * m2
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    return float(numpy.mean((2 * m1 * m2 + c1) * (2 * shared + c2)
                            / ((m1 * m1 + m2 * m2 + c1) * (v1 + v2 + c2))))


def rendition(path):
    with Image.open(path) as image:
        whole = numpy.asarray(image.convert("RGBA"), numpy.float32)
    return whole[..., :3], whole[..., 3]


def measure(path, kind, output, box):
    """The first frame, or the one of an animation that is most like the rendition."""
    best = compared(*decoding.decode(path, kind), output, box)
    if float(best[PSNR]) < 40:
        for frame in decoding.later_frames(path, kind):
            row = compared(*frame, output, box)
            best = max(best, row, key=lambda row: (float(row[SSIM]), float(row[PSNR])))
    return best


PSNR, SSIM = 5, 6


def compared(pixels, alpha, output, box):
    expected = bounded(pixels.shape[1], pixels.shape[0], box)
    is_scaled = expected != (pixels.shape[1], pixels.shape[0])
    ours, our_alpha = rendition(output)
    size = (ours.shape[1], ours.shape[0])
    facts = [*expected, *size, int(is_scaled)]
    if size != expected:
        return facts + [0, 0, 99, 99]
    pixels, alpha = scaled(pixels, alpha, expected)
    pairs = [(over(ours, our_alpha, ground), over(pixels, alpha, ground)) for ground in (0, 255)]
    distance = numpy.maximum(*[colour.ciede2000(*pair) for pair in pairs])
    return facts + [
        "%.2f" % min(psnr(*pair) for pair in pairs), "%.5f" % min(ssim(*pair) for pair in pairs),
        "%.3f" % distance.mean(), "%.3f" % numpy.percentile(distance, 95)]


def main(box):
    for line in sys.stdin:
        path, kind, output = line.rstrip("\n").split("\t")
        try:
            row = measure(path, kind, output, box)
        except (decoding.Unreadable, OSError, SyntaxError, ValueError, EOFError) as problem:
            row = ["unreadable", " ".join(str(problem).split())]
        print(path, *row, sep="\t", flush=True)


if __name__ == "__main__":
    main([int(side) for side in sys.argv[1].split("x")])
