"""What a claim costs, and how much memory it takes, by the number of payloads that wait.

For each size a fresh incoming/ is filled with small files, and a fresh worker claims and finishes a
thousand of them. First: from the start of the worker to its first claim.
"""
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CLAIMS = 1000


def fill(root, count):
    incoming = os.path.join(root, "incoming")
    for number in range(count):
        descriptor = os.open(
            os.path.join(incoming, f"job{number}.json"), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640)
        os.write(descriptor, b'{"title":"T"}')
        os.close(descriptor)


def measure(program, count):
    with tempfile.TemporaryDirectory() as root:
        subprocess.run([program, root, "--drain"], check=True)
        fill(root, count)
        time.sleep(2.1)  # younger payloads that are written in place get a second look
        trial = subprocess.run(
            [program, root, "--claims", str(min(CLAIMS, count))], check=True, stdout=subprocess.PIPE,
            text=True)
    return {key: int(value) for key, value in (pair.split("=") for pair in trial.stdout.split())}


def main():
    if any(not word.isdigit() for word in sys.argv[1:]):
        sys.exit("usage: Scripts/bench-jobs [SIZE…]    1000 100000 1000000")
    sizes = [int(word) for word in sys.argv[1:]] or [1000, 100_000, 1_000_000]
    program = os.path.join(HERE, "../.build/release/job-exerciser")
    print("     waiting  first ms  median µs   mean µs    99 % µs  peak MB", flush=True)
    for size in sizes:
        result = measure(program, size)
        print(
            f"{size:>12,} {result['first_us'] / 1000:>9.1f} {result['median_us']:>10}"
            f" {result['mean_us']:>9} {result['p99_us']:>10} {result['peak_kb'] / 1024:>8.1f}",
            flush=True)


if __name__ == "__main__":
    main()
