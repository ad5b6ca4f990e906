"""A worker as a real process, jobs put before it, and what has become of them."""
import datetime, json, os, subprocess, sys, time

HOSTS = 16

def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()

class Trial:
    def __init__(self, root, pictures_folder):
        self.jobs, self.count = f"{root}/jobs", 0
        for name in ("jobs", "cache"):
            os.mkdir(f"{root}/{name}")
        self.origin = subprocess.Popen(
            [sys.executable, os.path.join(os.path.dirname(__file__), "origin.py"), pictures_folder],
            stdout=subprocess.PIPE, text=True)
        self.port = int(self.origin.stdout.readline())
        self.worker = subprocess.Popen(
            [".build/release/wirephoto", "worker", self.jobs, "--cache", f"{root}/cache",
             "--allow-address", "127.0.0.0/8"], stderr=open(f"{root}/log", "w"))
        while not os.path.exists(f"{self.jobs}/.costs.json"):
            if self.worker.poll() is not None:
                sys.exit("the worker did not start")
            time.sleep(0.05)

    def end(self):
        for process in (self.worker, self.origin):
            process.terminate()
            process.wait()

    def write(self, kind, ttl):
        """A payload in tmp/: text alone where the kind is None. Gives its name."""
        self.count += 1
        payload = {"title": "T", "ttlSeconds": ttl}
        if kind:
            host = f"127.0.0.{1 + self.count % HOSTS}"
            payload["imageURL"] = f"http://{host}:{self.port}/{kind}/{self.count}"
        with open(f"{self.jobs}/tmp/{self.count}.json", "w") as file:
            json.dump(payload, file)
        return str(self.count)

    def deliver(self, name):
        os.rename(f"{self.jobs}/tmp/{name}.json", f"{self.jobs}/incoming/{name}.json")

    def collect(self, names, patience):
        """The manifests, each with the time at which its folder was published."""
        end, found = time.time() + patience, {}
        missing = set(names)
        while missing and time.time() < end:
            for name in missing & set(os.listdir(f"{self.jobs}/outbox")):
                folder = f"{self.jobs}/outbox/{name}"
                with open(f"{folder}/manifest.json") as file:
                    manifest = json.load(file)
                # The rename that published the folder is its last change.
                manifest["published"] = os.stat(folder).st_ctime
                found[name] = manifest
                missing.discard(name)
            time.sleep(0.05)
        return found

    def batch(self, kinds):
        """Seconds that the worker takes for jobs delivered at once, all of them in full."""
        names = [self.write(kind, 60) for kind in kinds]
        start = time.time()
        for name in names:
            self.deliver(name)
        found = self.collect(names, 90)
        for kind, name in zip(kinds, names):
            if name not in found or found[name]["status"] != "complete":
                sys.exit(f"{kind}: {json.dumps(found.get(name))}")
        return max(manifest["published"] for manifest in found.values()) - start

    def usage(self):
        """Seconds of processor of the worker and of its children that ended, peak bytes."""
        with open(f"/proc/{self.worker.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        tick = os.sysconf("SC_CLK_TCK")
        with open(f"/proc/{self.worker.pid}/status") as file:
            peak = next(line for line in file if line.startswith("VmHWM")).split()[1]
        own, children = sum(map(int, fields[11:13])), sum(map(int, fields[13:15]))
        return own / tick, children / tick, int(peak) * 1000
