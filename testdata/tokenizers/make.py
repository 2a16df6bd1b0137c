"""Writes smollm2.txt: what llama.cpp's tokenizer of SmolLM2 makes of strings that are meant to be difficult.

Run with llama-cpp-python and the model's file: python make.py SmolLM2-135M-Instruct.Q4_1.gguf
A line is the text as JSON, a tab, tokens with special tokens as text, a tab, tokens with special tokens parsed.
"""
import json
import pathlib
import random
import sys

import llama_cpp

random.seed(5)
model = llama_cpp.Llama(model_path=sys.argv[1], vocab_only=True, verbose=False)

FIXED = [
    "", " ", "  ", "\n", "\n\n", "\t", " \n ", "\r\n", "a", " a", "Hello, world!", "I'll we've they're it's I'm he'd can't DON'T 'S",
    "1", "12", "123", "1234567890", "3.14159e-10", "½ ² ③ ٣ 一二三", "x=1;y+=2;", "fn main() {\n    println!(\"{}\", 1 << 3);\n}\n",
    "def f(x):\n\treturn x**2  # comment\n\n\n", "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n", "<|endoftext|>", "<|im_end",
    "a<|im_end|> b", "<|im_start|><|im_start|>", "<repo_name><file_sep>", "naïve café Ünïcödé", "e\u0301 n\u0303", "你好，世界", "こんにちは",
    "안녕하세요", "Привет мир", "مرحبا بالعالم", "שלום עולם", "हिन्दी में", "ไทยแลนด์", "😀", "👨‍👩‍👧‍👦", "🇩🇪🏳️‍🌈", "a😀b 😀 😀😀", "\u200b\u200d\ufeff",
    "\u00a0nbsp\u00a0", "\u2003em\u3000wide", "a\u0000b", "\u001b[31m", "\ue000\U000f0000", "\ufffd", "ÅÅ", "ﬁ ﬂ", "ǅ ǆ", "ʰ ˈ",
    "    four\n        eight\n\t\ttabs", "trailing   ", "   leading", "a  b   c    d", "a\n b\n  c", "\n\n\n\n x", " \t \t ", "!!!???...,,,", "--- *** ===",
    "https://example.com/a?b=c&d=%20#e", "user@example.com", "C:\\path\\file", "$100 €5 £3 ¥2", "\"quoted\" 'single' `tick`", "don’t “curly”",
    "CamelCaseAndsnake_case-and.dots", "AAAAAAAAAAAAAAAAAAAAAAAA", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "ab" * 40, "0" * 50, " " * 50 + "x", "\n" * 30,
]
ALPHABETS = [
    "abc ABC.,!?'\n", "0123456789.,- ", " \t\n\r", "'sStTrReEvVmMlLdD ", "{}[]()<>=+-*/;:\"'`~@#$%^&|\\_ \n\tabx1",
    "äöüßéèêñçåøæœ ÄÖÜ", "абвгд ЖЗИ", "αβγ ΔΕΖ", "漢字かなカナ 。、", "한국어 조선", "ابتث نهو", "אבגד", "कखगि ी्", "กขคง าิี", "😀😁🤖👍🏽❤️\u200d ",
]
EVERYTHING = [(0x20, 0x7E), (0xA0, 0x24F), (0x300, 0x36F), (0x370, 0x5FF), (0x600, 0x6FF), (0x900, 0xDFF), (0x2000, 0x206F), (0x2070, 0x2BFF),
              (0x3000, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xE000, 0xF8FF), (0xFE00, 0xFFFD), (0x10000, 0x1FFFF), (0x20000, 0x2FFFF)]


def anything():
    low, high = random.choice(EVERYTHING)
    return chr(random.randint(low, high))


texts = list(FIXED)
for alphabet in ALPHABETS:
    texts += ["".join(random.choices(alphabet, k=random.randint(1, 24))) for _ in range(14)]
texts += ["".join(anything() for _ in range(random.randint(1, 16))) for _ in range(120)]
texts += ["".join(random.choice([anything(), " ", "a", "1", "\n", "'"]) for _ in range(random.randint(4, 24))) for _ in range(120)]
lines = []
for text in texts:
    tokens = [model.tokenize(text.encode(), add_bos=False, special=special) for special in (False, True)]
    lines.append("\t".join([json.dumps(text)] + [" ".join(map(str, part)) for part in tokens]))
pathlib.Path(__file__).with_name("smollm2.txt").write_text("\n".join(lines) + "\n")
