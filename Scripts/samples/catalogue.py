"""Writes samples and what must come of them."""

import json
import os
import subprocess
import tempfile


class Catalogue:
    def __init__(self, root):
        self.root = root
        self.samples = []

    def add(self, path, data, format, size=None, *, orientation=1, frames=1, alpha=False,
            expected="picture", note=""):
        """Writes `data` and notes what was drawn; `size` is as displayed."""
        self.expect(path, data)
        width, height = size or (None, None)
        self.samples.append({
            "path": path, "format": format, "width": width, "height": height,
            "orientation": orientation, "frames": frames, "hasAlpha": alpha,
            "expected": expected, "note": note,
        })
        return data

    def expect(self, path, data):
        """Writes what must come of a sample."""
        target = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(data)

    def size(self):
        """Bytes of all that was written."""
        return sum(os.path.getsize(os.path.join(folder, name))
                   for folder, _, names in os.walk(self.root) for name in names)

    def read(self, path):
        with open(os.path.join(self.root, path), "rb") as file:
            return file.read()

    def write(self):
        rows = ",\n".join("    " + json.dumps(sample) for sample in self.samples)
        with open(os.path.join(self.root, "samples.json"), "w") as file:
            file.write('{\n  "version": 1,\n  "samples": [\n' + rows + "\n  ]\n}\n")


def convert(command, inputs, output):
    """The bytes that a tool makes: `inputs` maps file names to bytes, `output` names its result."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in inputs.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
        result = subprocess.run(command, cwd=folder, capture_output=True)
        path = os.path.join(folder, output)
        if result.returncode != 0 or not os.path.exists(path):
            raise SystemExit(f"{' '.join(command)}: {result.stderr.decode(errors='replace')}")
        with open(path, "rb") as file:
            return file.read()
