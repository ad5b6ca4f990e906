"""The samples of the demo: all picture formats, a name that lies, a picture that ends early, a
hostile one, and a page in a picture's place."""

import json

PATHS = [
    "jpeg/orientation-6.jpg", "jpeg/large-progressive.jpg", "jpeg/cmyk-adobe.jpg",
    "png/rgba-16.png", "png/large.png", "gif/animated.gif", "webp/large.webp",
    "webp/lossy-alpha.webp", "heic/grid.heic", "avif/ten-bit.avif", "mismatched/webp.jpg",
    "truncated/baseline.jpg", "hostile/declares-60000.png", "other/page.html",
]


def samples(catalogue):
    """The chosen samples by the id of their job."""
    with open(catalogue) as file:
        known = {sample["path"]: sample for sample in json.load(file)["samples"]}
    return {path.replace("/", "-").replace(".", "-"): known[path] for path in PATHS}
