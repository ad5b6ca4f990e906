"""What may go wrong on the way to a picture, and what must come of it. The rungs are reasoned from the
contract: what a cached copy past its freshness may stand in for, and how much of each picture is there
to be seen when so much of its file has come."""
import collections

Picture = collections.namedtuple("Picture", "name sample halves")

# From which per cent of the file on half of the picture can be seen: rows of a baseline JPEG, PNG, GIF
# and WebP (as Pillow and libwebp decode cuts of the files), the first scan's rows of a progressive
# JPEG; of the HEIC the first row of its tiles, which ends at byte 8168 of 8911 (its iloc box).
PICTURES = [
    Picture("jpeg", "jpeg/baseline.jpg", 60),
    Picture("progressive", "jpeg/large-progressive.jpg", 15),
    Picture("png", "png/rgb-8.png", 60),
    Picture("gif", "gif/still.gif", 75),
    Picture("heic", "heic/grid.heic", 92),
    Picture("webp", "webp/lossy.webp", 75),
]
CACHES = ["cold", "stale"]

# `share` is the per cent of the file that comes: 0 for nothing to be seen. `stale` and `whole` are the
# rungs with a stale copy in the cache, and where all of a picture arrives after all.
Fault = collections.namedtuple(
    "Fault", "name query place share code stale whole", defaults=["origin", 0, None, "stale", None])

FAULTS = [
    Fault("no answer to SYN", "", "unanswered", code="downloadTimeout"),
    Fault("slow name server", "", "names", code="downloadTimeout"),
    Fault("TLS stalls", "", "tls", code="downloadTimeout"),
    Fault("header at 1 byte/s", "headerRate=1", code="downloadTimeout"),
    Fault("body at 1 kB/s", "rate={slow}", code="downloadTimeout"),
    Fault("stall at 10 %", "stall=10", share=10, code="downloadTimeout"),
    Fault("stall at 50 %", "stall=50", share=50, code="downloadTimeout"),
    Fault("stall at 90 %", "stall=90", share=90, code="downloadTimeout"),
    Fault("reset at 50 %", "reset=50", share=50, code="truncatedBody"),
    Fault("closed at 80 %", "close=80", share=80, code="truncatedBody"),
    Fault("file cut at 80 %", "instead=/cut/{cut}", share=80, code="corrupt"),
    Fault("Content-Length too long", "length=%2B1000", share=100, code="truncatedBody"),
    Fault("Content-Length too short", "length={short}", share=90, code="corrupt"),
    Fault("endless chunks", "endless", code="notMedia"),
    Fault("endless after the picture", "padded", code="downloadTooLarge"),
    Fault("gzip bomb", "bomb", code="notMedia"),
    Fault("404", "status=404", code="httpStatus", stale="text"),
    Fault("410", "status=410", code="httpStatus", stale="text"),
    Fault("403 for bots", "status=403&bots", code="httpStatus"),
    Fault("429, Retry-After 60", "status=429&retryAfter=60", code="httpStatus"),
    Fault("429, Retry-After 1, then 200", "status=429&retryAfter=1&fail=1", whole="full"),
    Fault("500", "status=500", code="httpStatus"),
    Fault("500, then 200", "status=500&fail=1", whole="full"),
    Fault("redirect loop", "loop", code="tooManyRedirects"),
    Fault("redirect to 10.0.0.1", "redirect=http%3A%2F%2F10.0.0.1%2F", code="addressNotAllowed"),
    Fault("HTML for a picture", "html", code="notMedia"),
    Fault("wrong Content-Type", "type=text%2Fhtml", whole="full"),
    Fault("60 MB declared", "length=60000000", code="downloadTooLarge"),
    Fault("decoder hangs", "acts: sleep", "decoder", code="decoderTimeout"),
    Fault("decoder crashes", "acts: fault", "decoder", code="decoderCrashed"),
    Fault("decoder eats memory", "acts: fill-memory", "decoder", code="decoderMemory"),
]


class Cell:
    """One fault on one picture, with or without a stale copy in the cache."""

    def __init__(self, number, fault, picture, cache):
        self.number, self.fault, self.picture, self.cache = number, fault, picture, cache

    @property
    def rung(self):
        """The one that ought to be reached."""
        fault = self.fault
        if fault.whole:
            return fault.whole
        if self.cache == "stale":
            return fault.stale
        return "partial" if fault.share >= self.picture.halves else "text"

    @property
    def codes(self):
        """The problems that ought to be told, and no others."""
        found = {self.fault.code} if self.fault.code else set()
        return found | ({"noPicture"} if self.rung == "text" else set())

    def __str__(self):
        return f"{self.fault.name}, {self.picture.name}, {self.cache}"


def cells(third=None):
    """All, or one of three parts that hold as many of each fault, picture and cache."""
    places = [
        (f, p, c) for f in range(len(FAULTS)) for p in range(len(PICTURES)) for c in range(len(CACHES))]
    return [
        Cell(number, FAULTS[f], PICTURES[p], CACHES[c]) for number, (f, p, c) in enumerate(places)
        if third is None or (f + p + c) % 3 == third]
