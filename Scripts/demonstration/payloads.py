#!/usr/bin/env python3
"""Writes the demo's jobs: one a sample, as a share extension would send it.

Usage: payloads.py SAMPLES.JSON BASE_URL FOLDER
"""

import json
import os
import sys

from chosen import samples


def main():
    catalogue, base, folder = sys.argv[1:]
    for name, sample in samples(catalogue).items():
        path = sample["path"]
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
