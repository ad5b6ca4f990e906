"""Drawn scenes: no picture of anything that exists, and none that looks right when turned."""

import math

from PIL import Image, ImageDraw, ImageFont

RED, GREEN, BLUE, YELLOW = (220, 30, 30), (30, 160, 60), (30, 60, 200), (240, 210, 40)
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"


def font(size):
    return ImageFont.truetype(FONT, max(6, int(size)))


def landscape(width, height, label=""):
    """RGB: sky, hills, an arrow that points right at the top, a large F, fine detail, and a
    coloured square in each corner: red, green / blue, yellow."""
    picture = gradient(width, height)
    draw = ImageDraw.Draw(picture)
    hills(draw, width, height)
    detail(draw, width, height)
    arrow(draw, width, height)
    unit = height / 10
    draw.text((width * 0.30, height * 0.26), "F", font=font(unit * 4), fill=(20, 20, 60))
    draw.text((width * 0.46, height * 0.36), "Wire", font=font(unit * 1.3), fill=(250, 250, 250))
    draw.text((width * 0.46, height * 0.50), label, font=font(unit * 0.7), fill=(255, 240, 200))
    corners(draw, width, height)
    return picture


def gradient(width, height):
    across = Image.linear_gradient("L").rotate(90).resize((width, height))
    down = Image.linear_gradient("L").resize((width, height))
    return Image.merge(
        "RGB",
        (
            across.point(lambda v: 70 + v * 3 // 5),
            down.point(lambda v: 210 - v // 3),
            down.point(lambda v: 245 - v // 2),
        ),
    )


def hills(draw, width, height):
    for layer, (colour, base) in enumerate([((60, 110, 90), 0.70), ((40, 80, 60), 0.80)]):
        points = [
            (x, height * (base + 0.05 * math.sin(x * (7 + 4 * layer) / width + layer)))
            for x in range(0, width + 4, 4)
        ]
        draw.polygon([(0, height), *points, (width, height)], fill=colour)


def detail(draw, width, height):
    """Fine lines and a chequer, which blur when scaled badly."""
    left, top, side = width * 0.72, height * 0.30, height * 0.3
    step = max(2, height // 120)
    for index in range(int(side / step)):
        shade = (235, 235, 235) if index % 2 else (40, 40, 40)
        draw.line(
            (left, top + index * step, left + side / 2, top + index * step), fill=shade, width=1)
    for row in range(8):
        for column in range(6):
            if (row + column) % 2:
                x, y = left + side * (0.55 + column / 14), top + side * row / 8
                draw.rectangle((x, y, x + side / 14, y + side / 8), fill=(200, 60, 140))


def arrow(draw, width, height):
    y, thickness = height * 0.14, height * 0.04
    draw.line((width * 0.2, y, width * 0.7, y), fill=(255, 255, 255), width=int(thickness))
    tip = [(width * 0.8, y), (width * 0.68, y - 2 * thickness), (width * 0.68, y + 2 * thickness)]
    draw.polygon(tip, fill=(255, 255, 255))


def corners(draw, width, height):
    side = corner_side(width, height)
    right, bottom = width - side, height - side
    for (x, y), colour in zip(
        [(0, 0), (right, 0), (0, bottom), (right, bottom)], [RED, GREEN, BLUE, YELLOW]
    ):
        draw.rectangle((x, y, x + side - 1, y + side - 1), fill=colour)


def corner_side(width, height):
    return min(width, height) // 8


def quantized(picture, count):
    """The picture in `count` colours, the corners' colours among them: (indices, table of RGB)."""
    kept = [RED, GREEN, BLUE, YELLOW] if count >= 4 else [(0, 0, 0), (255, 255, 255)]
    table = [value for colour in kept for value in colour]
    if count > len(kept):
        few = picture.quantize(count - len(kept), dither=Image.Dither.NONE)
        table += few.getpalette()[:3 * (count - len(kept))]
    table += table[:3] * (count - len(table) // 3)
    chart = Image.new("P", (1, 1))
    chart.putpalette(table + table[:3] * (256 - count))
    fitted = picture.quantize(palette=chart, dither=Image.Dither.NONE)
    # The filling repeats the first colour, whose index may stand for it.
    return [index if index < count else 0 for index in fitted.getdata()], bytes(table)


def badge(width, height):
    """RGBA: a disc with a soft edge on nothing, and an opaque red corner at the top left."""
    picture = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    edge = min(width, height) / 2 - 1
    pixels = picture.load()
    for y in range(height):
        for x in range(width):
            distance = math.hypot(x - width / 2, y - height / 2)
            alpha = max(0, min(255, int((edge - distance) * 255 / (edge / 3))))
            pixels[x, y] = (40 + 200 * x // width, 120, 40 + 200 * y // height, alpha)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, width // 8, height // 8), fill=(*RED, 255))
    draw.text((width * 0.4, height * 0.25), "F", font=font(height / 2), fill=(255, 255, 255, 255))
    return picture


def clock(width, height, index, count):
    """RGB: one frame of a hand that turns, told from each other by number and colour."""
    picture = gradient(width, height)
    draw = ImageDraw.Draw(picture)
    angle = 2 * math.pi * index / count
    centre, reach = (width / 2, height / 2), min(width, height) * 0.4
    end = (centre[0] + reach * math.sin(angle), centre[1] - reach * math.cos(angle))
    draw.ellipse(
        (centre[0] - reach, centre[1] - reach, centre[0] + reach, centre[1] + reach),
        fill=(250, 250, 240), outline=(20, 20, 20))
    draw.line((*centre, *end), fill=RED, width=max(2, width // 40))
    draw.text((width * 0.04, height * 0.04), str(index), font=font(height / 5), fill=(10, 10, 10))
    corners(draw, width, height)
    return picture


def turned(picture, orientation):
    """The picture as a camera stores it, so that Exif `orientation` shows it upright."""
    undo = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    return picture.transpose(undo[orientation]) if orientation in undo else picture
