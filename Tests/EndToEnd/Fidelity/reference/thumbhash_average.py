"""Decodes ThumbHashes by the PyPI package thumbhash-python, and compares each with its picture.

Standard input: one JSON object a line, {"hash": base64, "path": picture}. Standard output: one object
a line: the greatest difference of average colour (of 255; both on a premultiplied black), and the
shorter by the longer side, decoded and true; "portrait" says whether both agree which is the longer.
"""
import json
import sys

from PIL import Image
from thumbhash.decode import thumbhash_to_image


def average(picture):
    picture = picture.convert("RGBA")
    total = [0.0, 0.0, 0.0]
    pixels = list(picture.getdata())
    for red, green, blue, alpha in pixels:
        total[0] += red * alpha / 255
        total[1] += green * alpha / 255
        total[2] += blue * alpha / 255
    return [value / len(pixels) for value in total]


def main():
    for line in sys.stdin:
        task = json.loads(line)
        picture = Image.open(task["path"])
        picture.seek(0)
        picture = picture.convert("RGBA")
        width, height = picture.size
        picture.thumbnail((200, 200), Image.BOX)
        decoded = thumbhash_to_image(task["hash"], saturation_boost=1.0)
        pairs = zip(average(decoded), average(picture))
        sides = [decoded.size, (width, height)]
        print(json.dumps({
            "difference": max(abs(one - two) for one, two in pairs),
            "ratios": [min(size) / max(size) for size in sides],
            "agrees": (decoded.size[0] >= decoded.size[1]) == (width >= height),
            "hasAlpha": picture.getextrema()[3][0] < 255,
        }))


main()
