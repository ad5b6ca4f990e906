"""Runs two commands turn by turn over pictures and tells what each costs.

Processor time is user and system time of the command and of all its descendants; wall time is from
start to end; memory is the largest process, and the most that all of them held at one time. Each
figure is the median of N runs after one that is not counted. The machine's other work moves
absolute times: compare ratios.
"""

import argparse
import ctypes
import json
import math
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

OURS = ".build/release/wirephoto render {file} -o {out}.jpg --force"
PEER = "vipsthumbnail {file} --size 1320x960> -o {out}.jpg[Q=82]"
OURS_BATCH = ".build/release/wirephoto render {file} -o {out} --force"
PEER_BATCH = "vipsthumbnail {file} --size 1320x960> -o {out}/%s.jpg[Q=82]"
SAMPLING_INTERVAL = 0.004  # seconds


def main():
    options = arguments()
    # Children that outlive their parent come to us, so that their time is counted too.
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    commands = {
        "ours": options.ours or (OURS_BATCH if options.batch else OURS),
        "peer": options.peer or (PEER_BATCH if options.batch else PEER)}
    failed = False
    ratios = []
    if not options.json:
        print(header())
    for paths in [options.files] if options.batch else [[path] for path in options.files]:
        results = compare(commands, paths, options.runs)
        failed |= any(result["failure"] for result in results.values())
        if options.json:
            print(json.dumps({"files": paths, **results}), flush=True)
        else:
            print(row(paths, results), flush=True)
        if not any(result["failure"] for result in results.values()):
            ratios.append(results["ours"]["cpu_ms"] / results["peer"]["cpu_ms"])
    if ratios and not options.json:
        mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
        print(f"{'geometric mean of CPU ratios':<36} {mean:6.2f}")
    return 1 if failed else 0


def arguments():
    parser = argparse.ArgumentParser(
        prog="Scripts/bench", description="Compare the cost of two commands over pictures.",
        epilog="In a command {file} is the picture, {out} a path without an extension; with --batch "
        "the word {file} is all pictures, and {out} a folder.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("-n", "--runs", type=int, default=7, help="counted runs of each (7)")
    parser.add_argument("--ours", metavar="COMMAND", help=f"default: {OURS}")
    parser.add_argument("--peer", metavar="COMMAND", help=f"default: {PEER}")
    parser.add_argument("--batch", action="store_true", help="all pictures in one command")
    parser.add_argument("--json", action="store_true", help="one object a file")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs must be at least 1")
    return options


def compare(commands, paths, runs):
    """The figures of each command for one picture, or for several at once."""
    with tempfile.TemporaryDirectory(prefix="wirephoto-bench-") as folder:
        samples = {name: [] for name in commands}
        results = {}
        for name, command in commands.items():
            target = target_in(folder, f"memory-{name}", paths)
            results[name] = memory(arguments_of(command, paths, target), folder, name)
        for turn in range(runs):
            # The order changes, so that neither always finds the other's caches.
            names = list(commands) if turn % 2 == 0 else list(reversed(commands))
            for name in names:
                if not results[name]["failure"]:
                    target = target_in(folder, name, paths)
                    samples[name].append(timed(arguments_of(commands[name], paths, target)))
        for name, taken in samples.items():
            if taken:
                results[name]["cpu_ms"] = statistics.median(sample[0] for sample in taken) * 1000
                results[name]["wall_ms"] = statistics.median(sample[1] for sample in taken) * 1000
                results[name]["bytes"] = written(folder, name)
        return results


def target_in(folder, name, paths):
    """Where a command writes: a name for one picture, a folder for several."""
    target = f"{folder}/{name}"
    if len(paths) > 1:
        os.makedirs(target, exist_ok=True)
    return target


def arguments_of(command, paths, target):
    arguments = []
    for word in shlex.split(command):
        if word == "{file}":
            arguments += paths
        else:
            arguments.append(word.replace("{file}", paths[0]).replace("{out}", target))
    return arguments


def timed(arguments):
    """CPU and wall seconds of one run."""
    begin = time.monotonic()
    with open(os.devnull, "r+b") as nowhere:
        streams = {"stdin": nowhere, "stdout": nowhere, "stderr": nowhere}
        child = subprocess.Popen(arguments, **streams)
    _, _, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - begin
    child.returncode = 0
    cpu = usage.ru_utime + usage.ru_stime
    # Descendants that outlived it. Their time would be missing.
    while True:
        try:
            _, _, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return cpu, wall
        cpu += usage.ru_utime + usage.ru_stime


def memory(arguments, folder, name):
    """The first run: not timed, since it is watched.

    time(1) is small and forks the command itself: a child of ours would count our own memory, which
    it has before it executes anything.
    """
    report = f"{folder}/peak-{name}"
    result = {"failure": None, "peak_bytes": None, "sum_bytes": 0, "bytes": None}
    try:
        watched = subprocess.Popen(
            ["/usr/bin/time", "-q", "-f", "%M", "-o", report, *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    except OSError as error:
        result["failure"] = str(error)
        return result
    while watched.poll() is None:
        result["sum_bytes"] = max(result["sum_bytes"], held_below(watched.pid))
        time.sleep(SAMPLING_INTERVAL)
    errors = watched.stderr.read().decode(errors="replace").strip()
    if watched.returncode != 0:
        result["failure"] = errors.splitlines()[-1] if errors else f"status {watched.returncode}"
    elif not written(folder, f"memory-{name}"):
        result["failure"] = "wrote nothing"
    else:
        with open(report) as lines:
            result["peak_bytes"] = int(lines.read().split()[-1]) * 1024
        result["sum_bytes"] = max(result["sum_bytes"], result["peak_bytes"])
    return result


def held_below(ancestor):
    """Bytes that the descendants of a process hold now; what they share is counted once."""
    total = 0
    waiting = [ancestor]
    while waiting:
        process = waiting.pop()
        try:
            for thread in os.listdir(f"/proc/{process}/task"):
                with open(f"/proc/{process}/task/{thread}/children") as children:
                    waiting += [int(child) for child in children.read().split()]
            if process != ancestor:
                with open(f"/proc/{process}/smaps_rollup") as lines:
                    total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
        except (OSError, ProcessLookupError):
            continue
    return total * 1024


def written(folder, name):
    """Bytes of the files that a command wrote: `name` with an extension, or in the folder `name`."""
    paths = [f"{folder}/{entry}" for entry in os.listdir(folder) if entry.startswith(f"{name}.")]
    if os.path.isdir(f"{folder}/{name}"):
        paths += [f"{folder}/{name}/{entry}" for entry in os.listdir(f"{folder}/{name}")]
    return sum(os.path.getsize(path) for path in paths) or None


def header():
    return (
        f"{'picture':<36} {'CPU':>6} {'ours':>7} {'peer':>7}   {'wall':>6} {'ours':>7} {'peer':>7}   "
        f"{'MB: ours':>8} {'(sum)':>6} {'peer':>6}   {'bytes: ours':>11} {'peer':>8}")


def row(paths, results):
    name = os.path.basename(paths[0]) if len(paths) == 1 else f"{len(paths)} pictures"
    label = f"{name if len(name) <= 36 else name[:35] + '…':<36}"
    for who, result in results.items():
        if result["failure"]:
            return f"{label} {who} failed: {result['failure']}"
    ours, peer = results["ours"], results["peer"]
    cells = []
    for key in ("cpu_ms", "wall_ms"):
        cells.append(f"{ours[key] / peer[key]:6.2f} {ours[key]:7.1f} {peer[key]:7.1f}")
    cells.append(
        f"{ours['peak_bytes'] / 1e6:8.1f} {ours['sum_bytes'] / 1e6:6.1f} {peer['peak_bytes'] / 1e6:6.1f}")
    cells.append(f"{ours['bytes']:11d} {peer['bytes']:8d}")
    return f"{label} {'   '.join(cells)}"


if __name__ == "__main__":
    sys.exit(main())
