"""Sound and films: drawn frames and computed tones, encoded by ffmpeg."""

import math
import struct

import jpeg
import scene
from catalogue import convert

SIZE, RATE = (240, 160), 12
EXACT = ["-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact",
         "-map_metadata", "-1", "-threads", "1"]
TONE = ["-f", "s16le", "-ar", "22050", "-ac", "1", "-i", "tone"]


def frames():
    """Half a second of black, then two seconds of a clock."""
    black = scene.Image.new("RGB", SIZE)
    return [black] * 6 + [scene.clock(*SIZE, index, 24) for index in range(24)]


def raw(pictures):
    return b"".join(picture.tobytes() for picture in pictures)


def format_of(size):
    """How ffmpeg is told what it reads."""
    return ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", str(RATE),
            "-i", "frames"]


def tone(seconds=2):
    samples = [
        int(9000 * math.sin(2 * math.pi * 440 * i / 22050) * math.exp(-i / 22050))
        for i in range(22050 * seconds)
    ]
    return struct.pack(f"<{len(samples)}h", *samples)


def ffmpeg(inputs, output, *options):
    return convert(["ffmpeg", "-v", "error", *options, *EXACT, output], inputs, output)


def add_all(catalogue):
    add_films(catalogue)
    add_sound(catalogue)


def add_films(catalogue):
    shown = frames()
    inputs = {"frames": raw(shown), "tone": tone()}
    h264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "28", "-c:a", "aac", "-b:a", "48k"]
    hevc = ["-c:v", "libx265", "-x265-params", "log-level=none:pools=none:frame-threads=1",
            "-pix_fmt", "yuv420p", "-crf", "30", "-an"]

    def add(name, format, *options, size=SIZE, note=""):
        data = ffmpeg(inputs, "out." + name.split(".")[1], *format_of(SIZE), *TONE, *options)
        return catalogue.add(f"video/{name}", data, format, size, note=note)

    black = "the first half second is black"
    add("h264.mp4", "mp4", *h264, note=black + "; moov at the end")
    add("h264-fast-start.mp4", "mp4", *h264, "-movflags", "+faststart", note="moov first")
    turned = raw(scene.turned(picture, 6) for picture in shown)
    stored = ffmpeg({"frames": turned}, "out.mp4", *format_of(SIZE[::-1]), *h264)
    catalogue.add("video/h264-rotated.mp4", rotated(stored), "mp4", SIZE,
                  orientation=6, note="stored on its side, turned by 90 degrees in its track header")
    add("hevc-hev1.mp4", "mp4", *hevc, "-tag:v", "hev1", note="tag hev1")
    add("hevc-hvc1.mp4", "mp4", *hevc, "-tag:v", "hvc1", note="tag hvc1")
    add("h264.mov", "mov", *h264, note="QuickTime: to be remuxed to MP4")
    add("mpeg1.mpg", "mpeg", "-c:v", "mpeg1video", "-r", "24", "-b:v", "200k", "-c:a", "mp2",
        "-ar", "32000", note="MPEG-1 program stream")
    add("mpeg2.ts", "mpeg", "-c:v", "mpeg2video", "-r", "25", "-b:v", "200k", "-c:a", "mp2",
        "-ar", "32000", note="MPEG-2 transport stream")
    add("mpeg4.avi", "avi", "-c:v", "mpeg4", "-q:v", "8", "-c:a", "libmp3lame", "-b:a", "32k")
    add("vp9.webm", "webm", "-c:v", "libvpx-vp9", "-crf", "45", "-b:v", "0", "-c:a", "libopus",
        "-b:a", "32k")
    add("h264.mkv", "mkv", *h264)


def rotated(data):
    """The same film with a quarter turn in the matrix of its first video track header (ISO/IEC
    14496-12 §8.3.2)."""
    place = data.index(b"tkhd")
    matrix = place + 4 + 4 + 20 + 16
    unit, turn = 0x10000, struct.pack(">9i", 0, 0x10000, 0, -0x10000, 0, 0, SIZE[0] * 0x10000, 0,
                                      0x40000000)
    assert data[matrix:matrix + 4] == struct.pack(">i", unit)
    return data[:matrix] + turn + data[matrix + 36:]


def add_sound(catalogue):
    cover = jpeg.cjpeg(scene.landscape(240, 240, "cover"))
    inputs = {"tone": tone(), "cover.jpg": cover}
    with_cover = [*TONE, "-i", "cover.jpg", "-map", "0", "-map", "1", "-c:v", "copy",
                  "-disposition:v", "attached_pic"]

    def add(name, format, *options, size=None, note=""):
        data = ffmpeg(inputs, "out." + name.split(".")[1], *options)
        catalogue.add(f"audio/{name}", data, format, size,
                      expected="picture" if size else "sound", note=note)

    add("cover.mp3", "mp3", *with_cover, "-c:a", "libmp3lame", "-b:a", "32k", size=(240, 240),
        note="ID3v2 with a cover")
    add("plain.mp3", "mp3", *TONE, "-c:a", "libmp3lame", "-b:a", "32k", "-id3v2_version", "0",
        "-write_xing", "0", note="no ID3")
    add("cover.m4a", "m4a", *with_cover, "-c:a", "aac", "-b:a", "32k", size=(240, 240))
    add("lossless.m4a", "m4a", *TONE, "-c:a", "alac", note="ALAC")
    add("plain.aac", "aac", *TONE, "-c:a", "aac", "-b:a", "32k", "-f", "adts",
        note="ADTS: to be wrapped as M4A")
    add("plain.wav", "wav", *TONE, "-c:a", "pcm_s16le")
    add("plain.aiff", "aiff", *TONE, "-c:a", "pcm_s16be")
    add("plain.flac", "flac", *TONE, "-c:a", "flac")
    add("vorbis.ogg", "ogg", *TONE, "-c:a", "libvorbis", "-q:a", "1")
    add("opus.ogg", "ogg", *TONE, "-c:a", "libopus", "-b:a", "24k", "-ar", "48000")
