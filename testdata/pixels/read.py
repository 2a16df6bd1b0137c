#!/usr/bin/env python3
"""A second implementation of docs/pixel-format.md: reads a picture by the document alone.

    python3 testdata/pixels/read.py m.png            lists tensors, checks them against their checksums
    python3 testdata/pixels/read.py m.png -o folder  also writes the files again

Tensors are read twice: at their offsets in the file, and from the pixels as zlib (and Pillow, if it is installed) decode them.
"""

import argparse
import json
import pathlib
import struct
import zlib

MASK = 2**64 - 1
P1, P2, P3, P4, P5 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def rotate(x, n):
    return ((x << n) | (x >> (64 - n))) & MASK


def turn(lane, word):
    return rotate((lane + word * P2) & MASK, 31) * P1 & MASK


def xxh64(data):
    n, at = len(data), 0
    if n >= 32:
        lanes = [(P1 + P2) & MASK, P2, 0, -P1 & MASK]
        while at + 32 <= n:
            lanes = [turn(lane, word) for lane, word in zip(lanes, struct.unpack_from("<4Q", data, at))]
            at += 32
        value = sum(rotate(lane, k) for lane, k in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            value = ((value ^ turn(0, lane)) * P1 + P4) & MASK
    else:
        value = P5
    value = (value + n) & MASK
    while at + 8 <= n:
        value = (rotate(value ^ turn(0, struct.unpack_from("<Q", data, at)[0]), 27) * P1 + P4) & MASK
        at += 8
    if at + 4 <= n:
        value = (rotate(value ^ (struct.unpack_from("<I", data, at)[0] * P1 & MASK), 23) * P2 + P3) & MASK
        at += 4
    for byte in data[at:]:
        value = rotate(value ^ (byte * P5 & MASK), 11) * P1 & MASK
    value = (value ^ (value >> 33)) * P2 & MASK
    value = (value ^ (value >> 29)) * P3 & MASK
    return value ^ (value >> 32)


def chunks(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at = 8
    while at < len(data):
        (n,) = struct.unpack_from(">I", data, at)
        kind, content = data[at + 4 : at + 8], data[at + 8 : at + 8 + n]
        assert struct.unpack_from(">I", data, at + 8 + n)[0] == zlib.crc32(kind + content), kind
        yield kind, content, at
        at += 12 + n


class Page:
    def __init__(self, path):
        self.data = path.read_bytes()
        self.blobs, idat, self.start = [], [], None
        for kind, content, at in chunks(self.data):
            if kind == b"twIX":
                self.index = json.loads(zlib.decompress(content))
            elif kind == b"twBL":
                self.blobs.append(zlib.decompress(content))
            elif kind == b"IDAT":
                self.start = at if self.start is None else self.start
                idat.append(content)
        self.idat = b"".join(idat)

    def pixels(self, width):
        raw = zlib.decompress(self.idat)
        rows = [raw[at : at + 4 * width + 1] for at in range(0, len(raw), 4 * width + 1)]
        assert all(row[0] == 0 for row in rows)
        return [row[1:] for row in rows]


def row_at(page, geometry, x, y, n):
    """n bytes of row y from column x on, from where they lie in the file."""
    band = next(band for band in geometry["bands"] if band["y"] <= y < band["y"] + band["rows"])
    start = page.start + band["at"]
    if "bytes" in band:
        raw = zlib.decompressobj(-15).decompress(page.data[start : start + band["bytes"]])
        at = (y - band["y"]) * (4 * geometry["width"] + 1) + 1 + 4 * x
        return raw[at : at + n]
    span = next(span for span in band["spans"] if span[0] <= x < span[0] + span[1])
    at = start + (y - band["y"]) * band["step"] + span[2] + 4 * (x - span[0])
    return page.data[at : at + n]


def tensor(pages, geometries, pixels, entry):
    at_offsets, decoded = bytearray(), bytearray()
    for number, x, y, width, height in entry["rects"]:
        for row in range(y, y + height):
            n = min(entry["row"], entry["size"] - len(at_offsets))
            at_offsets += row_at(pages[number], geometries[number], x, row, n)
            decoded += pixels[number][row][4 * x : 4 * x + n]
    assert at_offsets == decoded and len(decoded) == entry["size"], entry["name"]
    return bytes(decoded)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("picture", type=pathlib.Path)
    arguments.add_argument("-o", "--out", type=pathlib.Path)
    arguments.add_argument("--sums", type=int, default=1 << 20, help="check sums of tensors up to so many bytes")
    options = arguments.parse_args()
    pages = [Page(options.picture)]
    index = pages[0].index
    assert index["format"] == "tilework-pixels" and index["version"] == 1 and index["page"] == 0
    for number in range(1, index["n_pages"]):
        page = Page(options.picture.with_suffix(f".{number + 1}.png"))
        assert page.index["model"] == index["model"] and page.index["page"] == number
        pages.append(page)
    geometries = index["pages"]
    pixels = [page.pixels(geometry["width"]) for page, geometry in zip(pages, geometries)]
    try:
        from PIL import Image

        Image.MAX_IMAGE_PIXELS = None
        with Image.open(options.picture) as image:
            assert image.mode == "RGBA" and image.tobytes() == b"".join(pixels[0])
            print(f"Pillow shows the same {image.width} x {image.height} pixels: {image.text['Title']}")
    except ImportError:
        print("Pillow is not installed")
    tensors, n_checked = [], 0
    for entry in index["tensors"]:
        tensors.append(tensor(pages, geometries, pixels, entry))
        if entry["size"] <= options.sums:
            assert f"{xxh64(tensors[-1]):016x}" == entry["xxh64"], entry["name"]
            n_checked += 1
    print(f"{len(tensors)} tensors, {n_checked} checked by their sums")
    for entry in index["files"]:
        parts = []
        for part in entry["parts"]:
            if "tensor" in part:
                parts.append(tensors[part["tensor"]])
            elif "blob" in part:
                blob = pages[0].blobs[part["blob"]]
                assert f"{xxh64(blob):016x}" == index["blobs"][part["blob"]]["xxh64"]
                parts.append(blob)
            else:
                parts.append(bytes(part["zeros"]))
        content = b"".join(parts)
        assert len(content) == entry["size"]
        if options.out:
            path = options.out / entry["name"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        print(f"{entry['name']}: {len(content)} bytes")


if __name__ == "__main__":
    main()
