"""Job directory, cache, origins and workers for one run of the fault matrix."""
import json
import os
import shutil
import subprocess
import time

from . import table

PORTS = {"origin": 18080, "decoder": 18080, "names": 18080, "unanswered": 18081, "tls": 18443}
SAMPLES = "media-samples"


def name(cell):
    return f"cell-{cell.number}"


def served(cell):
    return f"{name(cell)}{os.path.splitext(cell.picture.sample)[1]}"


class Site:
    """Serves each cell's picture under a path and a host of its own: no cell waits for another, or
    learns from its failure."""

    def __init__(self, root, programs):
        # Bytes a second of a slow body.
        self.rate = 1000
        self.root, self.programs, self.running, self.started = root, programs, [], 0
        for folder in ("jobs", "cache", "served/cut", "served/acts", "hostile"):
            os.makedirs(f"{root}/{folder}")
        self.make_variants()
        self.make_certificate()
        self.make_hostile_decoders()

    def make_variants(self):
        for picture in table.PICTURES:
            with open(f"{SAMPLES}/{picture.sample}", "rb") as file:
                data = file.read()
            base = os.path.basename(picture.sample)
            with open(f"{self.root}/served/cut/{base}", "wb") as file:
                file.write(data[: len(data) * 80 // 100])

    def make_certificate(self):
        addresses = ",".join(f"IP:{self.host(cell)}" for cell in table.cells() if cell.fault.place == "tls")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
             "-subj", "/CN=Origin", "-days", "2", "-addext", f"subjectAltName={addresses}",
             "-keyout", f"{self.root}/key.pem", "-out", f"{self.root}/certificate.pem"],
            check=True, capture_output=True)

    def make_hostile_decoders(self):
        """The worker beside decoders that have been taken over."""
        shutil.copy(f"{self.programs}/wirephoto", f"{self.root}/hostile/wirephoto")
        for family in ("image", "heif"):
            shutil.copy(
                f"{self.programs}/wirephoto-hostile-child", f"{self.root}/hostile/wirephoto-{family}-decoder")

    # Addresses

    def host(self, cell):
        if cell.fault.place == "names":
            return f"{name(cell)}.matrix.test"
        return f"127.1.{cell.number // 250}.{cell.number % 250 + 1}"

    def url(self, cell):
        size = os.path.getsize(f"{SAMPLES}/{cell.picture.sample}")
        query = f"instead=/acts/{served(cell)}" if cell.fault.place == "decoder" else cell.fault.query.format(
            slow=self.rate, short=size * 90 // 100, cut=os.path.basename(cell.picture.sample))
        if cell.cache == "stale":
            query = f"good=1&cache=max-age%3D0&{query}"
        scheme = "https" if cell.fault.place == "tls" else "http"
        return f"{scheme}://{self.host(cell)}:{PORTS[cell.fault.place]}/{served(cell)}?{query}"

    # Processes

    def origin(self, *arguments):
        process = subprocess.Popen(
            [f"{self.programs}/wirephoto-origin", *map(str, arguments)], stdout=subprocess.PIPE, text=True)
        line = process.stdout.readline()
        if "cannot" in line or not line:
            raise SystemExit(f"wirephoto-origin {arguments}: {line.strip() or 'it does not start'}")
        self.running.append(process)
        return process

    def worker(self, program, width, decoders=0):
        """One that takes jobs already: its start is not the jobs' time."""
        process = subprocess.Popen(
            [program, "worker", f"{self.root}/jobs", "--cache", f"{self.root}/cache", "--allow-address",
             "127.0.0.0/8", "--ca-file", f"{self.root}/certificate.pem", "--max-download", "4MB",
             "--parallel", str(width), "--decoders", str(decoders), "--keep-done", "0"],
            stderr=open(f"{self.root}/worker.log", "a"))
        self.running.append(process)
        self.started += 1
        identifier = f"start-{self.started}"
        asked = False
        while not self.result(identifier):
            if process.poll() is not None:
                raise SystemExit(f"the worker does not start: {self.root}/worker.log")
            if os.path.isdir(f"{self.root}/jobs/incoming") and not asked:
                asked = True
                with open(f"{self.root}/jobs/{identifier}", "w") as file:
                    file.write('{"title": "T"}')
                os.rename(f"{self.root}/jobs/{identifier}", f"{self.root}/jobs/incoming/{identifier}.json")
            time.sleep(0.01)
        return process

    def end(self, process):
        process.terminate()
        process.wait(timeout=60)
        self.running.remove(process)

    def close(self):
        for process in self.running:
            process.kill()
            process.wait()

    # Jobs

    def deliver(self, cell, identifier, ttl):
        """The wall-clock time before which it cannot have arrived."""
        path = f"{self.root}/served/{served(cell)}"
        if not os.path.exists(path):
            shutil.copy(f"{SAMPLES}/{cell.picture.sample}", path)
            with open(path, "rb") as good, open(f"{self.root}/served/acts/{served(cell)}", "wb") as bad:
                # The number makes the bytes no other cell's.
                bad.write(good.read() + f"\n{cell.fault.query} {cell.number}".encode())
        payload = {"id": identifier, "title": "T", "imageURL": self.url(cell), "ttlSeconds": ttl}
        with open(f"{self.root}/jobs/tmp/{identifier}.json", "w") as file:
            json.dump(payload, file)
        before = time.time()
        os.rename(f"{self.root}/jobs/tmp/{identifier}.json", f"{self.root}/jobs/incoming/{identifier}.json")
        return before

    def result(self, identifier):
        """The manifest and when its folder came; None while it has not."""
        folder = f"{self.root}/jobs/outbox/{identifier}"
        try:
            came = os.stat(folder).st_ctime
            with open(f"{folder}/manifest.json") as file:
                return json.load(file), came
        except FileNotFoundError:
            return None
