"""Colour arithmetic after the published formulas, in numpy."""

import numpy

BT709 = [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06), (0.3127, 0.3290)]
PRIMARIES = {
    1: BT709,
    5: [(0.64, 0.33), (0.29, 0.60), (0.15, 0.06), (0.3127, 0.3290)],
    6: [(0.630, 0.340), (0.310, 0.595), (0.155, 0.070), (0.3127, 0.3290)],
    7: [(0.630, 0.340), (0.310, 0.595), (0.155, 0.070), (0.3127, 0.3290)],
    9: [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046), (0.3127, 0.3290)],
    11: [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060), (0.314, 0.351)],
    12: [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060), (0.3127, 0.3290)],
}
BRADFORD = numpy.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367],
                        [0.0389, -0.0685, 1.0296]])


def xyz(point):
    x, y = point
    return numpy.array([x / y, 1, (1 - x - y) / y])


def to_xyz(primaries):
    columns = numpy.array([xyz(p) for p in primaries[:3]]).T
    return columns * numpy.linalg.solve(columns, xyz(primaries[3]))


def adapted(white):
    """From a white to D65's, by Bradford."""
    ratio = (BRADFORD @ xyz(BT709[3])) / (BRADFORD @ xyz(white))
    return numpy.linalg.inv(BRADFORD) @ (ratio[:, None] * BRADFORD)


def matrix(primaries):
    return numpy.linalg.inv(to_xyz(BT709)) @ adapted(primaries[3]) @ to_xyz(primaries)


def srgb_encode(light):
    light = numpy.clip(light, 0, 1)
    return numpy.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def srgb_decode(sample):
    return numpy.where(sample <= 0.04045, sample / 12.92, ((sample + 0.055) / 1.055) ** 2.4)


def shown(light, primaries):
    return (srgb_encode(light @ matrix(primaries).T) * 255).astype(numpy.float32)


def calibrated(pixels, gamma, primaries):
    """gAMA and cHRM; a gamma within 5 % of 1/2.2 stands for sRGB's curve, as writers mean it."""
    usual = gamma is None or gamma <= 0 or abs(gamma * 2.2 - 1) < 0.05
    plain = primaries is None or numpy.abs(numpy.array(primaries) - numpy.array(BT709)).max() < 0.002
    if usual and plain:
        return pixels
    sample = pixels.astype(numpy.float64) / 255
    light = srgb_decode(sample) if usual else sample ** (1 / gamma)
    return shown(light, BT709 if plain else primaries)


def profile_tags(profile):
    """The tags of an ICC profile by their signatures (ICC.1, 7.3)."""
    tags = {}
    for index in range(int.from_bytes(profile[128:132], "big")):
        entry = profile[132 + 12 * index:144 + 12 * index]
        start, size = (int.from_bytes(entry[i:i + 4], "big") for i in (4, 8))
        tags[entry[:4]] = profile[start:start + size]
    return tags


def fixed(data):
    """s15Fixed16Number."""
    return numpy.frombuffer(data, ">i4").astype(numpy.float64) / 65536


def curve(tag, sample):
    """curveType and parametricCurveType (ICC.1, 10.6 and 10.18)."""
    if tag[:4] == b"curv":
        count = int.from_bytes(tag[8:12], "big")
        table = numpy.frombuffer(tag[12:12 + 2 * count], ">u2").astype(numpy.float64)
        if count == 0:
            return sample
        if count == 1:
            return sample ** (table[0] / 256)
        return numpy.interp(sample, numpy.linspace(0, 1, count), table / 65535)
    kind = int.from_bytes(tag[8:10], "big")
    values = fixed(tag[12:12 + 4 * (1, 3, 4, 5, 7)[kind]])
    if kind == 0:
        return sample ** values[0]
    if kind == 3:
        g, a, b, c, d = values
        return numpy.where(sample >= d, numpy.maximum(a * sample + b, 0) ** g, c * sample)
    return None


def by_matrix_profile(pixels, profile):
    """RGB or gray by the curves and the matrix of a profile, exactly; None where it has tables."""
    tags = profile_tags(profile)
    if b"A2B0" in tags or b"A2B1" in tags:
        return None
    names = [b"kTRC"] * 3 if b"kTRC" in tags else [b"rTRC", b"gTRC", b"bTRC"]
    if not all(name in tags for name in names):
        return None
    sample = pixels.astype(numpy.float64) / 255
    curves = [curve(tags[name], sample[..., i]) for i, name in enumerate(names)]
    if any(values is None for values in curves):
        return None
    light = numpy.stack(curves, -1)
    if b"kTRC" not in tags:
        source = numpy.stack([fixed(tags[name][8:20]) for name in (b"rXYZ", b"gXYZ", b"bXYZ")], -1)
        # sRGB's primaries adapted to D50, as its profile has them.
        target = numpy.array([[0.43607, 0.38515, 0.14307], [0.22249, 0.71687, 0.06061],
                              [0.01392, 0.09708, 0.71410]])
        light = light @ (numpy.linalg.inv(target) @ source).T
    return (srgb_encode(light) * 255).astype(numpy.float32)


def coded(pixels, primaries, transfer):
    """H.273 code points: PQ and HLG tone-mapped, the rest by matrix."""
    if transfer in (16, 18):
        return tone_mapped(pixels, PRIMARIES.get(primaries, PRIMARIES[9]), transfer)
    if primaries in (1, 2) and transfer in (1, 2, 6, 13, 14, 15):
        return pixels
    sample = pixels.astype(numpy.float64) / 255
    power = {4: 2.2, 5: 2.8, 8: 1}.get(transfer)
    light = sample ** power if power else srgb_decode(sample)
    return shown(light, PRIMARIES.get(primaries, BT709))


def pq_nits(sample):
    root = numpy.maximum(sample, 0) ** (32 / 2523)
    return 1e4 * (numpy.maximum(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (8192 / 1305)


def pq_sample(nits):
    power = (nits / 1e4) ** (1305 / 8192)
    return ((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** (2523 / 32)


def tone_mapped(pixels, primaries, transfer):
    """BT.2390's roll-off from 1000 nits to 203, by the largest component, 203 nits being white."""
    sample = pixels.astype(numpy.float64) / 255
    if transfer == 16:
        nits = numpy.minimum(pq_nits(sample), 1000)
    else:
        scene = numpy.where(sample <= 0.5, sample ** 2 / 3,
                            (numpy.exp((sample - 0.55991073) / 0.17883277) + 0.28466892) / 12)
        luminance = scene @ numpy.array([0.2627, 0.6780, 0.0593])
        nits = 1000 * scene * (numpy.maximum(luminance, 0) ** 0.2)[..., None]
    top = numpy.maximum(nits.max(axis=-1, keepdims=True), 1e-6)
    peak, limit = pq_sample(1000), pq_sample(203) / pq_sample(1000)
    knee = 1.5 * limit - 0.5
    e = pq_sample(numpy.minimum(top, 1000)) / peak
    t = (e - knee) / (1 - knee)
    spline = ((2 * t ** 3 - 3 * t ** 2 + 1) * knee + (t ** 3 - 2 * t ** 2 + t) * (1 - knee)
              + (3 * t ** 2 - 2 * t ** 3) * limit)
    mapped = pq_nits(numpy.where(e > knee, spline, e) * peak)
    return shown(nits / top * mapped / 203, primaries)


def lab(pixels):
    """CIE L*a*b* of sRGB samples, its own white as reference."""
    light = srgb_decode(pixels.astype(numpy.float64) / 255) @ to_xyz(BT709).T / xyz(BT709[3])
    f = numpy.where(light > (6 / 29) ** 3, numpy.cbrt(light), light * (29 / 6) ** 2 / 3 + 4 / 29)
    return numpy.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]),
                        200 * (f[..., 1] - f[..., 2])], -1)


def ciede2000(first, second):
    """Sharma, Wu, Dalal 2005, for two arrays of sRGB samples."""
    one, two = lab(first), lab(second)
    l1, a1, b1 = numpy.moveaxis(one, -1, 0)
    l2, a2, b2 = numpy.moveaxis(two, -1, 0)
    mean7 = ((numpy.hypot(a1, b1) + numpy.hypot(a2, b2)) / 2) ** 7
    g = 1.5 - 0.5 * numpy.sqrt(mean7 / (mean7 + 25.0 ** 7))
    a1, a2 = a1 * g, a2 * g
    c1, c2 = numpy.hypot(a1, b1), numpy.hypot(a2, b2)
    h1, h2 = (numpy.degrees(numpy.arctan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = h2 - h1
    turn = numpy.where(turn > 180, turn - 360, numpy.where(turn < -180, turn + 360, turn))
    turn = numpy.where(c1 * c2 == 0, 0, turn)
    dl, dc = l2 - l1, c2 - c1
    dh = 2 * numpy.sqrt(c1 * c2) * numpy.sin(numpy.radians(turn / 2))
    l, c = (l1 + l2) / 2, (c1 + c2) / 2
    apart = numpy.abs(h1 - h2) > 180
    h = numpy.where(c1 * c2 == 0, h1 + h2,
                    numpy.where(apart, (h1 + h2 + numpy.where(h1 + h2 < 360, 360, -360)) / 2,
                                (h1 + h2) / 2))
    cosine = lambda degrees: numpy.cos(numpy.radians(degrees))
    t = (1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + 6)
         - 0.20 * cosine(4 * h - 63))
    sl = 1 + 0.015 * (l - 50) ** 2 / numpy.sqrt(20 + (l - 50) ** 2)
    sc, sh = 1 + 0.045 * c, 1 + 0.015 * c * t
    rc = 2 * numpy.sqrt(c ** 7 / (c ** 7 + 25.0 ** 7))
    rt = -rc * numpy.sin(numpy.radians(60 * numpy.exp(-((h - 275) / 25) ** 2)))
    return numpy.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2
                      + rt * (dc / sc) * (dh / sh))
