"""Writes crates/tilework-nn/src/tokenize/generated/classes.rs: the kind of each character, as the patterns of byte-level tokenizers
tell them apart.

Run with unicodedata2 15.1.0, the Unicode version of llama.cpp's tables: pip install unicodedata2==15.1.0; python make_classes.py
"""
import pathlib

import unicodedata2

OUT = pathlib.Path(__file__).parents[2] / "crates/tilework-nn/src/tokenize/generated/classes.rs"
KINDS = {"Lu": "U", "Lt": "U", "Ll": "W", "Lm": "L", "Lo": "L"}


def kind(code):
    category = unicodedata2.category(chr(code))
    return KINDS.get(category, category[0] if category[0] in "MNPS" else "O")


runs, last = [], "O"
for code in range(0x110000):
    if kind(code) != last:
        last = kind(code)
        runs.append(f"({code:#x}, {last})")
lines, line = [], "   "
for run in runs:
    if len(line) + len(run) + 2 > 120:
        lines.append(line)
        line = "   "
    line += f" {run},"
lines.append(line)
OUT.write_text(f"""//! Kinds of characters, Unicode {unicodedata2.unidata_version}. Written by testdata/tokenizers/make_classes.py.

use crate::tokenize::classes::Class::{{
    self, Letter as L, Lower as W, Mark as M, Number as N, Other as O, Punctuation as P, Symbol as S, Upper as U,
}};

/// Where a run of characters of one kind starts, and the kind; it ends where the next starts.
pub(crate) const RUNS: &[(u32, Class)] = &[
""" + "\n".join(lines) + "\n];\n")
