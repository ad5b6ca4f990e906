"""Offers a worker four times the work that the machine can do, and tells what became of it.
usage: Scripts/overload [JOBS] [TIMES] [SEED] [--workers N] [--decoders N] [--round-trip MS]
       [--program PATH]
default: 2000 4 1, one worker with its usual decoders, an origin that is near

Pictures of 0.3 to 24 megapixels come from an origin on loopback, each another, with deadlines of 1 to
5 seconds. What each kind costs is measured before and after, by batches that keep the worker busy.
Exits 1 where a manifest is late, or where less is delivered in full than four fifths of what Moore
and Hodgson's rule would have ended in time by these costs."""
import argparse, collections, os, random, shutil, sys, tempfile, time

from pictures import make
from schedule import Job, all_at_once, moore_hodgson
from trial import Trial, seconds

def costs(trial, kinds):
    """Seconds a job of each kind, and of text alone, for the machine as a whole."""
    found = {}
    for kind in [None, *kinds]:
        once = trial.batch([kind] * 8) / 8
        count = min(150, max(16, int(1.5 / once)))
        found[kind] = trial.batch([kind] * count) / count
    return found

def plan(generator, kinds, cost, count, times):
    """(arrival, kind, seconds to live), so that the work offered is `times` what can be done."""
    pause = sum(cost[kind] for kind in kinds) / len(kinds) / times
    offset, jobs = 0.0, []
    for _ in range(count):
        jobs.append((offset, generator.choice(kinds), round(generator.uniform(1, 5), 3)))
        offset += generator.expovariate(1 / pause)
    return jobs

def deliver(trial, jobs):
    names = [trial.write(kind, ttl) for _, kind, ttl in jobs]
    start = time.time()
    for name, (offset, _, _) in zip(names, jobs):
        time.sleep(max(0, start + offset - time.time()))
        trial.deliver(name)
    return names

def rung(manifest):
    return manifest["attachments"][0]["rung"] if manifest["attachments"] else "text"

def delivered(manifest):
    rendition = manifest["attachments"][0]["renditions"][0]
    return rendition["width"] * rendition["height"]

def share(own, other, weight):
    return sum(map(weight, own)) / max(1, sum(map(weight, other)))

def compare(jobs, full, cost, pixels):
    """What was delivered in full, as shares of what the rule delivers: pixels of the pictures, pixels
    of their renditions, jobs."""
    work = [Job(number, arrival, arrival + ttl, cost[kind], pixels[kind])
            for number, (arrival, kind, ttl) in enumerate(jobs)]
    shown = lambda number: min(pixels[jobs[number][1]], 1280 * 960)
    whole = lambda number: pixels[jobs[number][1]]
    shares = []
    for name, rule in (("as jobs come", moore_hodgson), ("all known before", all_at_once)):
        ended = rule(work)
        by_kind = collections.Counter(jobs[number][1] for number in ended)
        print(f"{name} by kind:", {kind: by_kind[kind] for kind in cost if kind},
              f"{sum(cost[jobs[number][1]] for number in ended):.1f} s")
        values = [share(full, ended, weight) for weight in (whole, shown, lambda _: 1)]
        print(f"of Moore-Hodgson ({name}, {len(ended)} jobs): {values[0]:.0%} of the pictures' pixels,"
              f" {values[1]:.0%} of the delivered ones, {values[2]:.0%} of the jobs")
        shares.append(values)
    return shares

def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, usual in (("count", 2000), ("times", 4), ("seed", 1)):
        parser.add_argument(name, type=int, nargs="?", default=usual)
    parser.add_argument("--workers", type=int, default=1, help="of one job directory and cache")
    parser.add_argument("--decoders", type=int, default=0, help="of each worker at once")
    parser.add_argument("--round-trip", type=int, default=0, help="to the origin, milliseconds")
    parser.add_argument("--program", default=".build/release/wirephoto", help="the worker's")
    return parser.parse_args()

def main():
    options = arguments()
    folder = ".build/overload-pictures"
    pixels = {name: size for name, (_, size) in make(folder).items()}
    root = tempfile.mkdtemp(dir=".build")
    trial = Trial(root, folder, options)
    try:
        sys.exit(run(trial, random.Random(options.seed), pixels, options.count, options.times))
    finally:
        trial.end()
        shutil.rmtree(root, ignore_errors=True)

def run(trial, generator, pixels, count, times):
    kinds = list(pixels)
    before = costs(trial, kinds)
    jobs = plan(generator, kinds, before, count, times)
    usage = trial.usage()
    start = time.time()
    names = deliver(trial, jobs)
    found = trial.collect(names, 30)
    took = time.time() - start
    used = [b - a for a, b in zip(usage, trial.usage())][:2]
    after = costs(trial, kinds)
    cost = {kind: (before[kind] + after[kind]) / 2 for kind in before}
    print("milliseconds a job: " + ", ".join(
        f"{kind or 'text'} {before[kind] * 1000:.1f}/{after[kind] * 1000:.1f}" for kind in before))
    offered = sum(cost[kind] for _, kind, _ in jobs)
    with open("/proc/loadavg") as file:
        print("load at the end:", *file.read().split()[:3])
    print(f"{count} jobs in {jobs[-1][0]:.1f} s, {offered:.1f} s of work: {offered / jobs[-1][0]:.1f} times"
          " what can be done")
    margin = lambda manifest: seconds(manifest["timing"]["deadline"]) - manifest["published"]
    by_margin = sorted(found.values(), key=margin)
    late = sum(margin(manifest) < 0 for manifest in by_margin)
    print(f"{len(found)} of {count} manifests, {late} late, smallest margin"
          f" {margin(by_margin[0]) * 1000:.0f} ms")
    for manifest in by_margin[:3]:
        begun = seconds(manifest["timing"]["deadline"]) - seconds(manifest["timing"]["finished"])
        print(f"  {margin(manifest) * 1000:.0f} ms, begun at {begun * 1000:.0f}: {rung(manifest)},"
              f" {manifest['timing']['milliseconds']}")
    print("rungs:", dict(collections.Counter(map(rung, found.values()))))
    full = [number for number, name in enumerate(names)
            if name in found and rung(found[name]) == "full"]
    sunk = [manifest for manifest in found.values() if rung(manifest) != "full"]
    fetched = sum((manifest["timing"]["milliseconds"]["download"] or 0) > 0 for manifest in sunk)
    print(f"of {len(sunk)} others {fetched} had begun to be downloaded;", dict(collections.Counter(
        f"{problem['stage']}/{problem['code']}" for manifest in sunk for problem in manifest["problems"])))
    done = sum(cost[jobs[number][1]] for number in full)
    print(f"work done in full: {done:.1f} s")
    by_kind = collections.Counter(jobs[number][1] for number in full)
    print("in full by kind:", {kind: by_kind[kind] for kind in kinds})
    peak = trial.usage()[2]
    print(f"workers: {used[0]:.1f} s of processor, its children {used[1]:.1f} s, in {took:.1f} s;"
          f" {peak / 1e6:.0f} MB at most")
    shares = compare(jobs, full, cost, pixels)
    return late > 0 or len(found) < count or shares[0][0] < 0.8

if __name__ == "__main__":
    main()
