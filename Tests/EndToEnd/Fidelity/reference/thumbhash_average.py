"""Decodes ThumbHashes by the PyPI package thumbhash-python, and compares each with its picture; of an
animation, with the frame that it is nearest to, since any may stand for it.

Standard input: one JSON object a line, {"hash": base64, "path": picture}. Standard output: one object
a line: the greatest difference of average colour (of 255; pixels count by their alpha), and the
shorter by the longer side, decoded and true; "agrees" says whether both agree which is the longer.
"""
import json
import sys
from base64 import b64decode

from PIL import Image, ImageSequence
from thumbhash.decode import thumbhash_to_image
from thumbhash.hash import Hash


def average(picture):
    picture = picture.convert("RGBA")
    total = [0.0, 0.0, 0.0]
    pixels = list(picture.getdata())
    for red, green, blue, alpha in pixels:
        total[0] += red * alpha / 255
        total[1] += green * alpha / 255
        total[2] += blue * alpha / 255
    weight = sum(pixel[3] for pixel in pixels) / 255
    return [value / max(1e-9, weight) for value in total]


def stated_average(text):
    """The average colour that a hash states, as the format's thumbHashToAverageRGBA has it."""
    code = Hash.decode(b64decode(text), 1.0)
    blue = code.l_dc - 2 / 3 * code.p_dc
    red = (3 * code.l_dc - blue + code.q_dc) / 2
    green = red - code.q_dc
    return [max(0, min(1, value)) * 255 for value in (red, green, blue)]


def main():
    for line in sys.stdin:
        task = json.loads(line)
        differences, stated = [], stated_average(task["hash"])
        for frame in ImageSequence.Iterator(Image.open(task["path"])):
            picture = frame.convert("RGBA")
            width, height = picture.size
            picture.thumbnail((200, 200), Image.BOX)
            pairs = zip(stated, average(picture))
            differences.append(max(abs(one - two) for one, two in pairs))
        decoded = thumbhash_to_image(task["hash"], saturation_boost=1.0)
        sides = [decoded.size, (width, height)]
        print(json.dumps({
            "difference": min(differences),
            "ratios": [min(size) / max(size) for size in sides],
            "agrees": (decoded.size[0] >= decoded.size[1]) == (width >= height),
            "hasAlpha": picture.getextrema()[3][0] < 255,
        }))


main()
