#!/usr/bin/env python3
"""Writes the demo's jobs: one a sample, as a share extension would send it.

Usage: payloads.py SAMPLES.JSON BASE_URL FOLDER
"""

import json
import os
import sys

# All picture formats, a name that lies, a picture that ends early, and a hostile one.
CHOSEN = [
    "jpeg/orientation-6.jpg", "jpeg/large-progressive.jpg", "jpeg/cmyk-adobe.jpg",
    "png/rgba-16.png", "png/large.png", "gif/animated.gif", "webp/large.webp",
    "webp/lossy-alpha.webp", "heic/grid.heic", "avif/ten-bit.avif", "mismatched/webp.jpg",
    "truncated/baseline.jpg", "hostile/declares-60000.png", "other/page.html",
]


def main():
    catalogue, base, folder = sys.argv[1:]
    with open(catalogue) as file:
        samples = {sample["path"]: sample for sample in json.load(file)["samples"]}
    for path in CHOSEN:
        sample = samples[path]
        name = path.replace("/", "-").replace(".", "-")
        payload = {
            "id": name,
            "title": f"{sample['format'].upper()} sample",
            "url": f"{base}/pages/open-graph.html",
            "imageURL": f"{base}/{path}",
            "mediaCompany": "The Sample Gazette",
            "drafts": [{"id": "1", "sentence": sample["note"] or path, "isDraft": False}],
        }
        with open(os.path.join(folder, name + ".json"), "w") as file:
            json.dump(payload, file)


main()
