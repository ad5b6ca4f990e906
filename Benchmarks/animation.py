"""What the confined decoder's memory comes to at most for long animations, as a count of bytes.

Animations of 50 and of 500 frames, in GIF, APNG and WebP, are drawn by ffmpeg in three sizes and
rendered for phones. The kernel's own high-water mark of the decoder's resident memory is read while it
runs, that of a decoder of 16 by 16 pixels is taken off, and the rest is compared with four canvases and
16 MB. It must not grow with the number of frames either.
usage: Scripts/bench-animation [DIRECTORY]     default: a temporary folder
"""
import glob
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "../.build/release/wirephoto")
SIZES = [(480, 360), (1080, 1080), (1920, 1080)]
COUNTS = [50, 500]
CODERS = {
    "gif": ["-f", "gif"],
    "png": ["-f", "apng", "-plays", "0", "-pred", "none", "-compression_level", "1"],
    "webp": ["-c:v", "libwebp_anim", "-quality", "30", "-compression_level", "0", "-loop", "0"],
}
FIXED = 16_000_000
# What two counts of one animation may differ by: the longer one is tried with fewer colours and pixels.
SLACK = 4_000_000


def draw(folder, extension, width, height, frames):
    path = os.path.join(folder, f"{width}x{height}-{frames}.{extension}")
    if not os.path.exists(path):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i",
             f"testsrc2=size={width}x{height}:rate=20", "-frames:v", str(frames)]
            + CODERS[extension] + ["-y", path], check=True)
    return path


def decoders(parent):
    """The process numbers of a process's decoders."""
    numbers = []
    for path in glob.glob(f"/proc/{parent}/task/*/children"):
        try:
            with open(path) as file:
                numbers += file.read().split()
        except OSError:
            pass
    return numbers


def high_water(number):
    try:
        with open(f"/proc/{number}/status") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def peak(path, folder):
    """The most that one decoder held, in bytes, and the size of what was written."""
    output = os.path.join(folder, "rendered")
    for old in glob.glob(output + ".*"):
        os.remove(old)
    process = subprocess.Popen(
        [PROGRAM, "render", path, "-o", output, "--force", "--sandbox", "required"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    most = 0
    while process.poll() is None:
        for number in decoders(process.pid):
            most = max(most, high_water(number))
        time.sleep(0.002)
    told = process.stderr.read().decode()
    written = [os.path.getsize(name) for name in glob.glob(output + ".*")]
    if process.returncode != 0 or not written:
        sys.exit(f"{path} could not be rendered: {told}")
    return most, written[0]


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = sys.argv[1] if len(sys.argv) > 1 else temporary
        os.makedirs(folder, exist_ok=True)
        empty = max(peak(draw(folder, "gif", 16, 16, 1), temporary)[0] for _ in range(3))
        print(f"a decoder of 16 by 16 pixels: {empty / 1e6:.1f} MB, taken off below")
        print("format       size   bound MB   50 frames  500 frames   written kB")
        failed = False
        for width, height in SIZES:
            bound = 4 * width * height * 4 + FIXED
            for extension in CODERS:
                peaks = []
                for frames in COUNTS:
                    path = draw(folder, extension, width, height, frames)
                    most, written = peak(path, temporary)
                    peaks.append(most - empty)
                isWrong = max(peaks) > bound or peaks[1] > peaks[0] + SLACK
                failed |= isWrong
                print(f"{extension:6} {width:>5}x{height:<5} {bound / 1e6:8.1f}"
                      + "".join(f"{value / 1e6:12.1f}" for value in peaks)
                      + f"{written / 1e3:13.0f}" + ("   too much" if isWrong else ""), flush=True)
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
