"""How many pictures a second `wirephoto warm` fills a cache with, and what that costs the origin.

A thousand small pictures, each a file of its own, on an origin on loopback: as polite as usual (two
requests a host at once), and with 64 at once. Then the same again: everything is fresh.
usage: Scripts/bench-warm [PICTURES] [DIRECTORY]     default: 1000 .build
"""
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "../.build/release/wirephoto")
SAMPLE = os.path.join(HERE, "../media-samples/jpeg/baseline.jpg")


class Origin(http.server.ThreadingHTTPServer):
    """Counts requests, and how many are answered at once at most."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        with open(SAMPLE, "rb") as file:
            self.sample = file.read()
        self.lock = threading.Lock()
        self.begin()

    def begin(self):
        self.requests, self.now, self.most = 0, 0, 0


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        origin = self.server
        with origin.lock:
            origin.requests += 1
            origin.now += 1
            origin.most = max(origin.most, origin.now)
        # What follows a picture's end makes it a file of its own.
        body = origin.sample + self.path.encode()
        self.send_response(200)
        self.send_header("Content-Type", "image/jpeg")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=36000")
        self.end_headers()
        with origin.lock:
            origin.now -= 1
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def warm(cache, addresses, per_host):
    command = [
        PROGRAM, "warm", "--cache", cache, "--json", "--allow-address", "127.0.0.0/8", "--budget", "10m",
        "--per-host", str(per_host), "--parallel", str(max(16, per_host)), "-"]
    begun = time.monotonic()
    run = subprocess.run(command, input="\n".join(addresses), stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(run.stdout), time.monotonic() - begun


def main():
    words = sys.argv[1:]
    if words and not words[0].isdigit():
        sys.exit(__doc__)
    count = int(words[0]) if words else 1000
    disk = words[1] if len(words) > 1 else os.path.join(HERE, "../.build")
    origin = Origin()
    threading.Thread(target=origin.serve_forever, daemon=True).start()
    addresses = [f"http://127.0.0.1:{origin.server_port}/{number}.jpg" for number in range(count)]
    print("    a host at once   run     pictures   seconds  pictures/s  requests  most at once", flush=True)
    for per_host in (2, 64):
        with tempfile.TemporaryDirectory(dir=disk) as cache:
            for name, key in (("first", "fetched"), ("again", "fresh")):
                origin.begin()
                summary, seconds = warm(cache, addresses, per_host)
                print(
                    f"{per_host:>18}   {name}  {summary[key]:>9}  {seconds:>8.1f}  {count / seconds:>10.1f}"
                    f"  {origin.requests:>8}  {origin.most:>12}", flush=True)
                if summary[key] != count or summary["failed"]:
                    sys.exit(f"not all were {key}: {summary}")


if __name__ == "__main__":
    main()
