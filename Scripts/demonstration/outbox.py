#!/usr/bin/env python3
"""Shows what the demo's jobs became. Exits 1 where a manifest is missing, or the picture of a sample
that is to become one.

Usage: outbox.py SAMPLES.JSON OUTBOX
"""

import json
import os
import sys

from chosen import samples

ROW = "{:<28} {:<9} {:<9} {:<34} {:>11} {:>8}"


def lines(folder, manifest):
    """One row a rendition, or one that says why there is none."""
    found = False
    for attachment in manifest["attachments"]:
        for rendition in attachment["renditions"]:
            path = os.path.join(folder, rendition["file"])
            found = found or os.path.getsize(path) == rendition["bytes"]
            size = f"{rendition['width']}x{rendition['height']}"
            yield attachment["rung"], rendition["file"], size, rendition["bytes"], found
    if not found:
        codes = ", ".join(problem["code"] for problem in manifest["problems"])
        yield "-", codes or "-", "-", 0, False


def main():
    catalogue, outbox = sys.argv[1:]
    missing = []
    print(ROW.format("id", "status", "rung", "file", "size", "bytes"))
    for identifier, sample in samples(catalogue).items():
        folder = os.path.join(outbox, identifier)
        try:
            with open(os.path.join(folder, "manifest.json")) as file:
                manifest = json.load(file)
        except FileNotFoundError:
            missing.append(identifier)
            continue
        for rung, file, size, count, found in lines(folder, manifest):
            print(ROW.format(identifier, manifest["status"], rung, file, size, count))
            if not found and sample["expected"] == "picture":
                missing.append(identifier)
    print(f"\nThe folders are in {outbox}")
    if missing:
        sys.exit(f"no picture for {', '.join(missing)}")


main()
