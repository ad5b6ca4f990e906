"""Workers as real processes, jobs put before it, and what has become of them."""
import datetime, json, os, subprocess, sys, time

HOSTS = 16

def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()

class Trial:
    def __init__(self, root, pictures_folder, options):
        self.jobs, self.count = f"{root}/jobs", 0
        for name in ("jobs", "cache"):
            os.mkdir(f"{root}/{name}")
        self.origin = subprocess.Popen(
            [sys.executable, os.path.join(os.path.dirname(__file__), "origin.py"), pictures_folder,
             str(options.round_trip)],
            stdout=subprocess.PIPE, text=True)
        self.port = int(self.origin.stdout.readline())
        self.workers = [self.start(root, number, options) for number in range(options.workers)]

    def start(self, root, number, options):
        """A worker, when it takes jobs."""
        log = f"{root}/log.{number}"
        worker = subprocess.Popen(
            [options.program, "worker", self.jobs, "--cache", f"{root}/cache", "--allow-address",
             "127.0.0.0/8", "--decoders", str(options.decoders)],
            stderr=open(log, "w"))
        while not (os.path.exists(f"{self.jobs}/.costs.json") and os.path.getsize(log)):
            if worker.poll() is not None:
                self.origin.terminate()
                sys.exit("the worker did not start")
            time.sleep(0.05)
        return worker

    def end(self):
        for process in (*self.workers, self.origin):
            process.terminate()
            process.wait()

    def write(self, kind, ttl, network="127.0.0"):
        """A payload in tmp/: text alone where the kind is None. Gives its name."""
        self.count += 1
        payload = {"title": "T", "ttlSeconds": ttl}
        if kind:
            host = f"{network}.{1 + self.count % HOSTS}"
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
        names = [self.write(kind, 60, "127.0.1") for kind in kinds]
        start = time.time()
        for name in names:
            self.deliver(name)
        found = self.collect(names, 90)
        for kind, name in zip(kinds, names):
            if name not in found or found[name]["status"] != "complete":
                sys.exit(f"{kind}: {json.dumps(found.get(name))}")
        return max(manifest["published"] for manifest in found.values()) - start

    def usage(self):
        """Seconds of processor of the workers and of their children that ended, peak bytes of one."""
        own, children, peak = 0, 0, 0
        for worker in self.workers:
            with open(f"/proc/{worker.pid}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            with open(f"/proc/{worker.pid}/status") as file:
                most = next(line for line in file if line.startswith("VmHWM")).split()[1]
            own += sum(map(int, fields[11:13]))
            children += sum(map(int, fields[13:15]))
            peak = max(peak, int(most) * 1000)
        tick = os.sysconf("SC_CLK_TCK")
        return own / tick, children / tick, peak
