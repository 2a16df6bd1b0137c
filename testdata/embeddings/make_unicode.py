"""Writes crates/tilework-nn/src/tokenize/generated/unicode.rs: what BERT's tokenizer takes characters for.

Run with the library: pip install tokenizers; python make_unicode.py

The library's own tables are of several Unicode versions, some of them old. So nothing is taken from a Unicode database here: the
library is asked about every code point, one at a time.
"""
import pathlib
import unicodedata

import tokenizers
from tokenizers import normalizers, pre_tokenizers

CODE_POINTS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
HANGUL = range(0xAC00, 0xD7A4)
OUT = pathlib.Path(__file__).parents[2] / "crates/tilework-nn/src/tokenize/generated/unicode.rs"


def only(part):
    parts = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    return normalizers.BertNormalizer(**{**parts, part: True}).normalize_str


clean, strip, decompose = only("clean_text"), only("strip_accents"), normalizers.NFD().normalize_str
split = pre_tokenizers.BertPreTokenizer().pre_tokenize_str


def moves(c):
    """Whether canonical ordering moves it: past a mark of class 1 that follows, or one of class 240 that comes first."""
    forms = lambda x: ("a" + x + "\u0334", "a\u0345" + x)
    return all(any(decompose(form) != form for form in forms(x)) for x in decompose(c))


def ranges(code_points):
    found = []
    for c in sorted(code_points):
        if found and found[-1][1] == c - 1:
            found[-1][1] = c
        else:
            found.append([c, c])
    return found


def combining_classes(movable):
    """By the library's own order. Of each class one character is known, which the library must take for a movable one."""
    known = {}
    for c in sorted(movable):
        known.setdefault(unicodedata.combining(chr(c)), chr(c))
    known.pop(0, None)
    stays = lambda first, second: decompose("a" + first + second) == "a" + first + second
    ascending = sorted(known)
    assert all(stays(known[low], known[high]) and not stays(known[high], known[low]) for low, high in zip(ascending, ascending[1:]))
    return lambda c: max(k for k in ascending if stays(known[k], chr(c)))


def table(name, doc, kind, rows):
    lines, line = [], "   "
    for row in rows:
        if len(line) + len(row) + 2 > 120:
            lines.append(line)
            line = "   "
        line += f" {row},"
    lines.append(line)
    return f"\n/// {doc}\npub(crate) const {name}: &[{kind}] = &[\n" + "\n".join(lines) + "\n];\n"


def range_table(name, doc, code_points):
    return table(name, doc, "(u32, u32)", [f"({low:#x}, {high:#x})" for low, high in ranges(code_points)])


def main():
    removed = [c for c in CODE_POINTS if clean(chr(c)) == ""]
    punctuation = [c for c in CODE_POINTS if len(split("a" + chr(c) + "b")) == 3]
    stripped = {c: strip(chr(c)) for c in CODE_POINTS}
    marks = {c for c in CODE_POINTS if stripped[c] == ""}
    movable = {c for c in CODE_POINTS if moves(chr(c))}
    class_of = combining_classes(movable)
    kept = [f"({c:#x}, {class_of(c)})" for c in sorted(movable - marks)]
    bases = {c: s for c, s in stripped.items() if s not in ("", chr(c)) and c not in HANGUL}
    single = [f"({c:#x}, {ord(s):#x})" for c, s in bases.items() if len(s) == 1]
    several = ['({:#x}, "{}")'.format(c, "".join(f"\\u{{{ord(x):x}}}" for x in s)) for c, s in bases.items() if len(s) > 1]
    text = f"//! Characters as tokenizers {tokenizers.__version__} takes them. Written by testdata/embeddings/make_unicode.py.\n"
    text += range_table("REMOVED", "Controls, formats and private characters, which are left out; first and last of each range.", removed)
    text += range_table("PUNCTUATION", "Each of these is a word of its own.", punctuation)
    text += range_table("FIXED_MARKS", "Marks without a combining class, which are left out.", marks - movable)
    text += range_table("MOVABLE_MARKS", "Marks with a combining class, which are left out.", marks & movable)
    text += table("KEPT_MARKS", "Characters with a combining class that are not left out, and the class.", "(u32, u8)", kept)
    text += table("BASES", "What is left of a character without its marks, if it is one character.", "(u32, u32)", single)
    text += table("LONG_BASES", "What is left of a character without its marks, if it is several.", "(u32, &str)", several)
    OUT.write_text(text)


main()
