"""Reads the one coded picture of a HEIF file and writes HEIF files of our own shape (ISO/IEC
14496-12, ISO/IEC 23008-12): what the encoders at hand cannot make."""

import struct


def box(kind, *parts):
    body = b"".join(parts)
    return struct.pack(">I", 8 + len(body)) + kind + body


def full_box(kind, version, flags, *parts):
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def boxes(data, start=0, end=None):
    """(kind, body) of each box in a range."""
    end = len(data) if end is None else end
    while start + 8 <= end:
        size = struct.unpack(">I", data[start:start + 4])[0] or end - start
        yield data[start + 4:start + 8], data[start + 8:start + size]
        start += size


def child(data, kind):
    return next(body for name, body in boxes(data) if name == kind)


def coded_picture(data):
    """(item type, coded bytes, property boxes) of the first item of an encoder's file."""
    meta = child(data, b"meta")[4:]
    item = child(child(meta, b"iinf")[6:], b"infe")
    offset, length = first_extent(child(meta, b"iloc"))
    container = child(child(meta, b"iprp"), b"ipco")
    keep = (b"ispe", b"hvcC", b"av1C", b"pixi", b"colr")
    found = {}
    for kind, body in boxes(container):
        # The first of a kind belongs to the first item.
        if kind in keep:
            found.setdefault(kind, box(kind, body))
    return item[8:12], data[offset:offset + length], list(found.values())


def first_extent(iloc):
    version, sizes = iloc[0], iloc[4:6]
    offset_size, length_size = sizes[0] >> 4, sizes[0] & 15
    base_size, index_size = sizes[1] >> 4, sizes[1] & 15
    at = 6 + (4 if version == 2 else 2)
    at += (4 if version == 2 else 2) + (2 if version else 0) + 2
    base = int.from_bytes(iloc[at:at + base_size], "big")
    at += base_size + 2 + (index_size if version else 0)
    offset = int.from_bytes(iloc[at:at + offset_size], "big")
    length = int.from_bytes(iloc[at + offset_size:at + offset_size + length_size], "big")
    return base + offset, length


class Item:
    """One item: its bytes, its properties, and what it refers to."""

    def __init__(self, kind, data, properties=(), references=(), hidden=False):
        self.kind, self.data, self.properties = kind, data, list(properties)
        self.references, self.hidden = list(references), hidden


def size_property(width, height):
    return full_box(b"ispe", 0, 0, struct.pack(">II", width, height))


def rotation(quarters):
    """Quarter turns against the clock."""
    return box(b"irot", bytes([quarters]))


def mirror(axis):
    """0: top and bottom change places; 1: left and right (ISO/IEC 23008-12:2022)."""
    return box(b"imir", bytes([axis]))


def clean_aperture(width, height):
    """The middle of the picture."""
    return box(b"clap", struct.pack(">8I", width, 1, height, 1, 0, 1, 0, 1))


def grid(rows, columns, width, height):
    """The payload of a derived `grid` item."""
    return struct.pack(">BBBBHH", 0, 0, rows - 1, columns - 1, width, height)


def file(items, brand=b"heic", compatible=(b"mif1", b"heic")):
    """A file whose primary item is the first; item ids count from 1."""
    kind = box(b"ftyp", brand, bytes(4), *compatible)
    meta = meta_box(items, 0)
    payload = len(kind) + len(meta) + 8
    return kind + meta_box(items, payload) + box(b"mdat", *[item.data for item in items])


def meta_box(items, payload):
    handler = full_box(b"hdlr", 0, 0, bytes(4), b"pict", bytes(13))
    primary = full_box(b"pitm", 0, 0, struct.pack(">H", 1))
    return full_box(b"meta", 0, 0, handler, primary, locations(items, payload),
                    information(items), references(items), properties(items))


def locations(items, payload):
    entries = b""
    for number, item in enumerate(items, 1):
        entries += struct.pack(">HHHII", number, 0, 1, payload, len(item.data))
        payload += len(item.data)
    return full_box(b"iloc", 0, 0, bytes([0x44, 0]), struct.pack(">H", len(items)), entries)


def information(items):
    entries = [
        full_box(b"infe", 2, item.hidden, struct.pack(">HH", number, 0), item.kind, b"\0")
        for number, item in enumerate(items, 1)
    ]
    return full_box(b"iinf", 0, 0, struct.pack(">H", len(items)), *entries)


def references(items):
    entries = []
    for number, item in enumerate(items, 1):
        for kind, targets in item.references:
            numbers = struct.pack(f">{len(targets)}H", *targets)
            entries.append(box(kind, struct.pack(">HH", number, len(targets)), numbers))
    return full_box(b"iref", 0, 0, *entries) if entries else b""


def properties(items):
    container, associations = [], b""
    essential = (b"hvcC", b"av1C", b"irot", b"imir", b"clap")
    for number, item in enumerate(items, 1):
        associations += struct.pack(">HB", number, len(item.properties))
        for entry in item.properties:
            if entry not in container:
                container.append(entry)
            index = container.index(entry) + 1
            associations += bytes([index | (0x80 if entry[4:8] in essential else 0)])
    table = full_box(b"ipma", 0, 0, struct.pack(">I", len(items)), associations)
    return box(b"iprp", box(b"ipco", *container), table)
