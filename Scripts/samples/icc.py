"""Small ICC version 2 matrix profiles (ICC.1:2001-04), computed from chromaticities."""

import struct

D50 = (0.9642, 1.0, 0.8249)
D65_XY = (0.3127, 0.3290)
DISPLAY_P3 = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
BRADFORD = ((0.8951, 0.2664, -0.1614), (-0.7502, 1.7135, 0.0367), (0.0389, -0.0685, 1.0296))


def display_p3():
    return matrix_profile("Wirephoto P3", DISPLAY_P3, srgb_curve())


def srgb_curve():
    """The curve of IEC 61966-2-1 as a table."""
    table = []
    for index in range(1024):
        value = index / 1023
        linear = value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        table.append(round(linear * 65535))
    return b"curv\0\0\0\0" + struct.pack(">I", len(table)) + struct.pack(">1024H", *table)


def matrix_profile(name, primaries, curve):
    columns = adapted_primaries(primaries)
    tags = {
        b"desc": description(name),
        b"cprt": b"text\0\0\0\0No rights reserved\0",
        b"wtpt": xyz(D50),
        b"rXYZ": xyz(columns[0]),
        b"gXYZ": xyz(columns[1]),
        b"bXYZ": xyz(columns[2]),
        b"rTRC": curve,
        b"gTRC": curve,
        b"bTRC": curve,
    }
    table, body, places = [], b"", {}
    start = 128 + 4 + 12 * len(tags)
    for signature, data in tags.items():
        if data not in places:
            places[data] = start + len(body)
            body += data + bytes(-len(data) % 4)
        table.append(signature + struct.pack(">II", places[data], len(data)))
    size = start + len(body)
    header = struct.pack(">I4xI4s4s4s12x4s", size, 0x02100000, b"mntr", b"RGB ", b"XYZ ", b"acsp")
    header += bytes(68 - len(header)) + fixed(D50)
    header += bytes(128 - len(header))
    return header + struct.pack(">I", len(tags)) + b"".join(table) + body


def description(name):
    text = name.encode() + b"\0"
    return b"desc\0\0\0\0" + struct.pack(">I", len(text)) + text + bytes(78)


def fixed(values):
    return b"".join(struct.pack(">i", round(value * 65536)) for value in values)


def xyz(values):
    return b"XYZ \0\0\0\0" + fixed(values)


def adapted_primaries(primaries):
    """The XYZ of each primary, scaled to white and adapted from D65 to D50 (Bradford)."""
    white = to_xyz(D65_XY)
    scale = solve([[to_xyz(p)[row] for p in primaries] for row in range(3)], white)
    source = multiply(BRADFORD, white)
    target = multiply(BRADFORD, D50)
    columns = []
    for primary, factor in zip(primaries, scale):
        cone = multiply(BRADFORD, [factor * v for v in to_xyz(primary)])
        columns.append(solve(BRADFORD, [c * t / s for c, s, t in zip(cone, source, target)]))
    return columns


def to_xyz(chromaticity):
    x, y = chromaticity
    return (x / y, 1.0, (1 - x - y) / y)


def multiply(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def solve(matrix, vector):
    """Three equations by Cramer's rule."""
    whole = determinant(matrix)
    result = []
    for column in range(3):
        replaced = [
            [vector[row] if index == column else matrix[row][index] for index in range(3)]
            for row in range(3)
        ]
        result.append(determinant(replaced) / whole)
    return result


def determinant(m):
    return (
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    )
