"""Writes tokens.json and tokens.npz: texts and their tokens, as the library `tokenizers` splits them for all-MiniLM-L6-v2.

Run with the model's folder: pip install numpy tokenizers; python make_tokens.py ../../target/models/all-MiniLM-L6-v2

tokens.json has texts that were chosen, to be read by people. tokens.npz has texts drawn at random, and, for every 4096 code points,
a hash of what becomes of each of them between two letters, so that all of Unicode is covered.
"""
import json
import pathlib
import random
import sys

import numpy as np
from tokenizers import Tokenizer

HERE = pathlib.Path(__file__).parent
# The package's tokenizer.json says 128; sentence_bert_config.json says 256, which is what sentence-transformers goes by.
MAX_TOKENS = 256
N_RANDOM = 2400
BLOCK = 4096

CHOSEN = [
    "", " ", "\n\t\r", "\u0000", "Hello, World!", "unaffable", "It's 5 o'clock; isn't it?", "U.S.A. e.g. i.e. etc...",
    "Ünïcödé àccénts ÑANDÚ Ångström naïve façade", "e\u0301 vs \u00e9", "a\u0300\u0301\u0302\u0303b", "\u0301leading mark",
    "İstanbul ISPARTA ıslak Iğdır", "ΑΣ ΌΣΟΣ σς ΐ", "ẞß Straße ﬁ ﬀ ŉ ǆ Ǆ",
    "東京は日本の首都です。", "我爱北京天安门", "漢字かなカナ交じり", "\u3400\u4dbf\u9fff\uf900\U00020000\U0002b820\U0002f800", "한국어 텍스트", "각 가 힣", "ᄀ\u1161\u11a8",
    "Привет, мир! ЁЖИК ёжик Й", "שלום עולם שָׁלוֹם", "مرحبا بالعالم مَرْحَبًا", "नमस्ते दुनिया", "สวัสดีชาวโลก", "வணக்கம் உலகம்", "ಕೊ ೋ ో", "ខ្មែរ",
    "👍🏽 👨‍👩‍👧‍👦 🇩🇪 ❤️ ☺ 😀", "zero\u200bwidth\u200cjoin\u200der\ufeffbom", "soft\u00adhyphen", "no\u00a0break\u202fnarrow\u2007figure\u3000ideographic",
    "line\u2028sep\u2029par\u000bvt\u000cff\u0085nel", "bell\u0007 esc\u001b del\u007f \u009f", "\ufffd replacement \uffff \U0010ffff", "private \ue000 \uf8ff \U000f0000",
    "\u202eright to left\u202c \u200f", "tag \U000e0041\U000e007f", "a_b-c/d\\e@f#g$h%i^j&k*l(m)n+o=p~q`r|s<t>u{v}w[x]y:z", "«quotes» „low“ ‘single’ … — – ‹›",
    "¿Qué? ¡No! § ¶ · † ‡ • ‰", "x²+y³ ½ ⅓ Ⅷ ① ℃ ™ ©", "√∑∞≠≤≥±×÷ → ← ⇒", "$1,234.56 €99 £5 ¥100 ₹7", "3.14159e-10 0x1F 1_000",
    "[CLS] [SEP] [MASK] [PAD] [UNK]", "a[MASK]b[SEP]", "[cls] [Mask] [[SEP]]", "##ing ## #", "[unused0] [unused99]",
    "a" * 100, "a" * 101, "x" * 1000, "supercalifragilisticexpialidocious pneumonoultramicroscopicsilicovolcanoconiosis", "é" * 100, "é" * 101, "e\u0301" * 60,
    "https://example.com/path?q=1&r=ü#frag me@mail.org", "CamelCaseAndsnake_case_identifiers()", "def f(x): return x**2  # comment",
    "word " * 300, "東" * 300, "." * 300, "[SEP]" * 300, "supercalifragilistic " * 80, "a b" * 126, "one two three " * 84 + "end",
    "\U0001d15e\U0001d165\U0001d16d\u302e\u0334", "\u1b44\u0301\u1baa\u302f", "\u0344\u0340\u0f73", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 ｆｕｌｌｗｉｄｔｈ Ｈ", "ⓐ Ⓐ ꜳ Ꜳ Ꭰ ꭰ Ა ა Ა", "K Å Ω ǅ Ǻ ḗ",
    "mixed漢字and한글with кириллица и العربية", "tab\tnewline\nreturn\r\nmixed", "  leading and trailing  ", "a\u0000b\ufffdc", "\u1680ogham\u180emongolian\u205fmath",
]

POOLS = [
    [chr(c) for c in range(0x20, 0x7F)],
    [chr(c) for c in range(0xA0, 0x250)],
    [chr(c) for c in range(0x300, 0x370)],
    [chr(c) for c in range(0x370, 0x530)],
    [chr(c) for c in range(0x590, 0x700)],
    [chr(c) for c in range(0x900, 0xE00)],
    [chr(c) for c in range(0x1E00, 0x2000)],
    [chr(c) for c in range(0x2000, 0x2BFF)],
    [chr(c) for c in range(0x3000, 0x3100)],
    [chr(c) for c in range(0x4E00, 0x4F00)],
    [chr(c) for c in range(0xAC00, 0xAD00)],
    [chr(c) for c in range(0xF900, 0x10000)],
    [chr(c) for c in range(0x1D100, 0x1D200)],
    [chr(c) for c in range(0x1F300, 0x1F700)],
    [chr(c) for c in range(0x0, 0xA0)],
]
WORD = 16  # weight of words of the vocabulary among the pools


def random_text(rng, words):
    parts = []
    for _ in range(rng.randint(1, 14)):
        kind = rng.randrange(len(POOLS) + WORD + 1)
        if kind < len(POOLS):
            parts.append("".join(rng.choices(POOLS[kind], k=rng.randint(1, 4))))
        elif kind < len(POOLS) + WORD:
            word = rng.choice(words).removeprefix("##")
            parts.append(rng.choice([word, word.upper(), word.capitalize(), " " + word + " "]))
        else:
            parts.append("".join(chr(c) for c in (rng.randrange(0x110000) for _ in range(3)) if not 0xD800 <= c < 0xE000))
    return "".join(parts)


def fnv(hash, text):
    """FNV-1a over UTF-8, 32 bits; a zero byte ends each text."""
    for byte in text.encode() + b"\0":
        hash = (hash ^ byte) * 0x01000193 & 0xFFFFFFFF
    return hash


def block_hashes(tokenizer):
    hashes = []
    for first in range(0, 0x110000, BLOCK):
        hash = 0x811C9DC5
        for c in range(first, first + BLOCK):
            if not 0xD800 <= c < 0xE000:
                words = tokenizer.pre_tokenizer.pre_tokenize_str(tokenizer.normalizer.normalize_str("a" + chr(c) + "B"))
                hash = fnv(hash, " ".join(word for word, _ in words))
        hashes.append(hash)
    return hashes


def lines(texts):
    raw = [text.encode() for text in texts]
    return np.frombuffer(b"".join(raw), np.uint8), np.array([len(text) for text in raw], np.int32)


def main():
    tokenizer = Tokenizer.from_file(str(pathlib.Path(sys.argv[1]) / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    chosen = [{"text": text, "ids": tokenizer.encode(text).ids} for text in CHOSEN]
    rows = ",\n".join(json.dumps(case, separators=(",", ":")) for case in chosen)
    (HERE / "tokens.json").write_text(f"[\n{rows}\n]\n")
    rng = random.Random(20)
    words = sorted(tokenizer.get_vocab())
    texts = [random_text(rng, words) for _ in range(N_RANDOM)]
    encoded = [tokenizer.encode(text).ids for text in texts]
    utf8, n_bytes = lines(texts)
    np.savez_compressed(
        HERE / "tokens.npz",
        utf8=utf8,
        n_bytes=n_bytes,
        ids=np.concatenate(encoded).astype(np.int32),
        n_ids=np.array([len(ids) for ids in encoded], np.int32),
        block_hashes=np.array(block_hashes(tokenizer), np.uint32),
    )


main()
