"""Tells what a progressive JPEG of 16 megapixels costs with early stop and without.

A picture (default: the drawn sample) is brought to 4608 x 3456, coded as progressive JPEG of each
quality, and served on loopback at each rate. A worker makes one size of it with an empty cache: the
bytes read and the time are its manifest's, the median of the runs; PSNR is that of the pixels before
encoding against those of the whole file.
"""

import argparse
import contextlib
import http.server
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

WIREPHOTO = ".build/release/wirephoto"
SAMPLE = "media-samples/jpeg/large.jpg"


class Origin(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder, rate = "", 0  # bytes a second; 0 for as fast as it goes

    def do_GET(self):
        with open(self.folder + self.path.split("?")[0], "rb") as file:
            body = file.read()
        self.send_response(200)
        self.send_header("Content-Type", "image/jpeg")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        start, step = time.monotonic(), 16384
        # Who has enough hangs up.
        with contextlib.suppress(OSError):
            for offset in range(0, len(body), step):
                self.wfile.write(body[offset:offset + step])
                if self.rate:
                    time.sleep(max(0, start + (offset + step) / self.rate - time.monotonic()))

    def handle(self):
        with contextlib.suppress(OSError):
            super().handle()

    def log_message(self, *arguments):
        pass


def make(picture, folder, quality):
    path = f"{folder}/{quality}.jpg"
    pixels = subprocess.run(
        ["convert-im6.q16", picture, "-auto-orient", "-resize", "4608x3456^", "-gravity", "center",
         "-extent", "4608x3456", "ppm:-"], check=True, capture_output=True).stdout
    with open(path, "wb") as file:
        subprocess.run(
            ["cjpeg", "-quality", str(quality), "-progressive"], input=pixels, stdout=file, check=True)
    return path


def job(url, profile, options, keep=None):
    """Bytes read and milliseconds of one job over an empty cache."""
    with tempfile.TemporaryDirectory() as root:
        os.mkdir(f"{root}/jobs")
        payload = json.dumps({"id": "job", "title": "t", "imageURL": url, "profiles": [profile]})
        subprocess.run([WIREPHOTO, "submit", f"{root}/jobs", "-"], input=payload.encode(), check=True,
                       stdout=subprocess.DEVNULL)
        subprocess.run(
            [WIREPHOTO, "worker", f"{root}/jobs", "--cache", f"{root}/cache", "--drain",
             "--allow-address", "127.0.0.0/8", "--log-level", "error", *options], check=True)
        with open(f"{root}/jobs/outbox/job/manifest.json") as file:
            manifest = json.load(file)
        attachment = manifest["attachments"][0]
        if attachment["rung"] != "full":
            sys.exit(f"the picture came at rung {attachment['rung']}: {manifest['problems']}")
        if keep:
            os.rename(f"{root}/jobs/outbox/job/{attachment['renditions'][0]['file']}", keep)
        times = manifest["timing"]["milliseconds"]
        return attachment["source"]["bytes"], times["download"], times["decode"], times["total"]


def likeness(url, profile, folder):
    """Decibels between the pixels of the beginning and of the whole file."""
    paths = []
    for name, options in (("early", []), ("whole", ["--no-early-stop"])):
        paths.append(f"{folder}/{name}.png")
        job(url, profile, ["--format", "png", "--max-bytes", "0", *options], keep=paths[-1])
    compared = subprocess.run(
        ["compare-im6.q16", "-metric", "PSNR", *paths, "null:"], capture_output=True, text=True)
    return float(re.match(r"inf|[\d.]+", compared.stderr)[0])


def main():
    parser = argparse.ArgumentParser(prog="Scripts/bench-progressive", description=__doc__)
    parser.add_argument("picture", nargs="?", default=SAMPLE)
    parser.add_argument("-n", "--runs", type=int, default=5, help="runs of each (5)")
    parser.add_argument("--qualities", default="75,90", help="of the JPEG (75,90)")
    parser.add_argument("--profiles", default="thumb,iphone")
    parser.add_argument("--rates", default="0,1250000", help="bytes a second, 0 for any (0,1250000)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Origin.folder = folder
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Origin)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(f"{'picture':<24} {'rate':>8} {'bytes read':>22} {'download':>14} {'decode':>14} {'total ms':>14}   PSNR")
        for quality in options.qualities.split(","):
            path = make(options.picture, folder, quality)
            url = f"http://127.0.0.1:{server.server_port}/{os.path.basename(path)}"
            for profile in options.profiles.split(","):
                Origin.rate = 0
                decibels = likeness(url, profile, folder)
                for rate in options.rates.split(","):
                    Origin.rate = int(rate)
                    print(row(f"q{quality} {profile}", rate, url, profile, options.runs, decibels), flush=True)


def row(name, rate, url, profile, runs, decibels):
    early, whole = [], []
    for _ in range(runs):
        early.append(job(url, profile, []))
        whole.append(job(url, profile, ["--no-early-stop"]))
    columns = [f"{name:<24}", f"{int(rate) // 1000 or 'any':>8}"]
    for index, width in enumerate((22, 14, 14, 14)):
        pair = [int(statistics.median(run[index] for run in runs)) for runs in (early, whole)]
        columns.append(f"{pair[0]} / {pair[1]}".rjust(width))
    return " ".join(columns) + f"   {decibels:.1f}"


if __name__ == "__main__":
    main()
