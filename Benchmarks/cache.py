#!/usr/bin/env python3
"""What a cache costs by how much it holds: a fresh process's first hit, a publication, an eviction.

Usage: Benchmarks/cache.py PROGRAM ENTRIES…     PROGRAM is the built cache-exerciser

Each size gets a cache of its own in a temporary directory (TMPDIR). Two hundred pictures are stored
by the program itself; the rest are small files and rows that are entered without waiting for the
disk, which no reader can tell from stored ones but by their age: they are the oldest.
"""
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

STORED = 200
BATCH = 20000


def rows(start, count, now):
    """Objects, sources and renditions as the index has them; the last two count as damaged."""
    for number in range(start, start + count):
        body = b"filler %d" % number
        name = hashlib.sha256(body)
        url = "https://filler.example/%d" % number
        key = hashlib.sha256(url.encode()).digest()
        used = (now - 86_400_000 - number) // 3_600_000 * 3_600_000
        yield body, name, url, key, used


def fill(cache, count):
    index = sqlite3.connect(os.path.join(cache, "index.sqlite"), isolation_level=None)
    index.execute("PRAGMA synchronous = OFF")
    now = int(time.time() * 1000)
    for shard in range(256):
        os.makedirs(os.path.join(cache, "objects", "%02x" % shard), exist_ok=True)
    for start in range(0, count, BATCH):
        index.execute("BEGIN")
        for body, name, url, key, used in rows(start, min(BATCH, count - start), now):
            digits, digest = name.hexdigest(), name.digest()
            path = os.path.join(cache, "objects", digits[:2], digits + ".jpg")
            with open(path, "wb") as file:
                file.write(body)
            # No eviction takes a young file.
            os.utime(path, (used / 1000, used / 1000))
            index.execute(
                "INSERT INTO objects (hash, extension, area, bytes, created, lastUsed)"
                " VALUES (?, 'jpg', 1, ?, ?, ?)", (digest, len(body), used, used))
            index.execute(
                "INSERT INTO sources (key, url, variant, host, finalURL, fields, requestTime,"
                " responseTime, original, bytes, format, facts, expires, lastUsed, sum)"
                " VALUES (?, ?, '', 'filler.example', ?, '', ?, ?, ?, 1, 'jpeg', x'', ?, ?, 0)",
                (key, url, url, used, used, digest, used, used))
            index.execute(
                "INSERT INTO renditions VALUES (?, 'iphone', ?, 'jpg', 'jpeg', 4, 3, 1, 1, x'', 0)",
                (digest, digest))
        index.execute("COMMIT")
    index.close()


def measure(program, entries):
    folder = tempfile.mkdtemp(prefix="wirephoto-bench-")
    try:
        cache = os.path.join(folder, "cache")
        subprocess.run([program, "store", cache, str(min(STORED, entries))], check=True,
                       stdout=subprocess.DEVNULL)
        fill(cache, max(0, entries - STORED) + 4000)
        os.sync()
        answer = subprocess.run([program, "cost", cache], check=True, capture_output=True, text=True)
        return [float(value) for value in answer.stdout.split()]
    finally:
        shutil.rmtree(folder)


def main():
    program, sizes = sys.argv[1], [int(size) for size in sys.argv[2:]]
    print("%12s %14s %16s %14s" % ("entries", "first hit, ms", "publication, µs", "eviction, µs"))
    for entries in sizes:
        hit, publication, eviction = measure(program, entries)
        print("%12d %14.1f %16.0f %14.0f" % (entries, hit, publication, eviction), flush=True)


main()
