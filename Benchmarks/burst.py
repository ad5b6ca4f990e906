"""Delivers many jobs at one instant, each with a short deadline, and tells how many manifests were
late, beside what the bare disk does: folders of two synced files, renamed, by as many threads.
usage: Scripts/burst [JOBS] [SECONDS] [DIRECTORY]     default: 500 2 .build"""
import collections, concurrent.futures, datetime, json, os, shutil, subprocess, sys, tempfile, time

def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()

def sync(path):
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)

def publish(root, number):
    staged = f"{root}/.{number}"
    os.mkdir(staged)
    for name in ("manifest.json", "push.json"):
        with open(f"{staged}/{name}", "wb") as file:
            file.write(b"x" * 1500)
        sync(f"{staged}/{name}")
    sync(staged)
    os.rename(staged, f"{root}/{number}")
    sync(root)

def floor(root, count):
    """Seconds that the bare publications take."""
    os.mkdir(root)
    start = time.time()
    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        list(pool.map(lambda number: publish(root, number), range(count)))
    return time.time() - start

def start(root):
    for name in ("jobs", "cache"):
        os.mkdir(f"{root}/{name}")
    worker = subprocess.Popen(
        [".build/release/wirephoto", "worker", f"{root}/jobs", "--cache", f"{root}/cache"],
        stderr=subprocess.DEVNULL)
    while not os.path.exists(f"{root}/jobs/.costs.json"):
        if worker.poll() is not None:
            sys.exit("the worker did not start")
        time.sleep(0.05)
    return worker

def deliver(jobs, count, ttl):
    for number in range(count):
        with open(f"{jobs}/tmp/{number}.json", "w") as file:
            json.dump({"title": "T", "ttlSeconds": ttl}, file)
    for number in range(count):
        os.rename(f"{jobs}/tmp/{number}.json", f"{jobs}/incoming/{number}.json")

def collect(outbox, count, patience):
    end = time.time() + patience
    while True:
        names = [name for name in os.listdir(outbox) if not name.startswith(".")]
        if len(names) >= count or time.time() > end:
            return names
        time.sleep(0.2)

def main():
    if "--help" in sys.argv:
        return print(__doc__)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    ttl = float(sys.argv[2]) if len(sys.argv) > 2 else 2
    root = tempfile.mkdtemp(dir=sys.argv[3] if len(sys.argv) > 3 else ".build")
    try:
        worker = start(root)
        deliver(f"{root}/jobs", count, ttl)
        outbox = f"{root}/jobs/outbox"
        names = collect(outbox, count, ttl + 120)
        worker.terminate()
        worker.wait()
        margins, statuses = [], collections.Counter()
        for name in names:
            with open(f"{outbox}/{name}/manifest.json") as file:
                manifest = json.load(file)
            statuses[manifest["status"]] += 1
            # The rename that published the folder is its last change.
            margins.append(seconds(manifest["timing"]["deadline"]) - os.stat(f"{outbox}/{name}").st_ctime)
        bare = floor(f"{root}/bare", count)
        late = sum(margin < 0 for margin in margins)
        print(f"{len(names)} of {count} manifests, {late} late, smallest margin {min(margins):.3f} s, {dict(statuses)}")
        print(f"the bare disk takes {bare:.2f} s for as many: {count / bare:.0f} a second")
        sys.exit(late > 0 and bare < ttl * 0.8 or len(names) < count)
    finally:
        shutil.rmtree(root, ignore_errors=True)

if __name__ == "__main__":
    main()
