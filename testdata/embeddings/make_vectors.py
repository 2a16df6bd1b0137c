"""Writes sentences.json and vectors.npz: sentences and their embeddings, as sentence-transformers computes them on the CPU.

Run with the model's folder: pip install sentence-transformers; python make_vectors.py ../../target/models/all-MiniLM-L6-v2
"""
import json
import pathlib
import sys

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from tokenizers import Tokenizer

HERE = pathlib.Path(__file__).parent
SENTENCES = [
    "A cat sits on the mat.", "The cat is sitting on a rug.", "Stock markets fell sharply on Monday.", "Shares dropped at the start of the week.", "hello",
    "Hi", "", " ", "\u200b", ".", "?!", "a", "42", "The quick brown fox jumps over the lazy dog.", "How do I bake sourdough bread at home?",
    "What is the capital of France?", "Paris is the capital of France.", "Berlin is the capital of Germany.", "Matrix products are the heart of every transformer.",
    "Rust's borrow checker prevents data races at compile time.", "def add(a, b):\n    return a + b", "SELECT name FROM users WHERE age > 30 ORDER BY name;",
    "Die Katze sitzt auf der Matte.", "Le chat est assis sur le tapis.", "El gato está sentado en la alfombra.", "Il gatto è seduto sul tappeto.", "Кот сидит на коврике.",
    "猫はマットの上に座っています。", "猫坐在垫子上。", "고양이가 매트 위에 앉아 있다.", "القطة تجلس على الحصيرة.", "बिल्ली चटाई पर बैठी है।", "Kedi paspasın üzerinde oturuyor. İstanbul",
    "😀 👍🏽 👨‍👩‍👧‍👦", "I love this product! ❤️ Would buy again…", "WORST. SERVICE. EVER.", "https://example.com/a/b?c=d#e", "E = mc² and ∮ B·dl = μ₀I", "[MASK] is a [SEP] token",
    "x" * 150, "supercalifragilisticexpialidocious", "The patient presented with acute abdominal pain, nausea, and a mild fever lasting two days.",
    "Pursuant to section 4(b), the lessee shall indemnify the lessor against all claims arising from the use of the premises.",
    "In 1969, Apollo 11 landed on the Moon; Neil Armstrong and Buzz Aldrin walked on its surface while Michael Collins stayed in orbit.",
    " ".join(f"Sentence number {n} of a paragraph that goes on." for n in range(8)),
    "word " * 120, "the end " * 126 + "a b", "one " * 254, "one " * 255, " ".join(f"This is line {n} of a document far longer than the model can read." for n in range(60)),
]


def main():
    assert len(SENTENCES) == 50
    torch.set_num_threads(2)
    model = SentenceTransformer(sys.argv[1], device="cpu")
    tokenizer = Tokenizer.from_file(str(pathlib.Path(sys.argv[1]) / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(model.max_seq_length)
    for sentence in SENTENCES:
        own = model.tokenizer(sentence, truncation=True, max_length=model.max_seq_length)["input_ids"]
        assert own == tokenizer.encode(sentence).ids, sentence
    vectors = np.concatenate([model.encode([sentence]) for sentence in SENTENCES])
    (HERE / "sentences.json").write_text(json.dumps(SENTENCES, indent=0) + "\n")
    np.savez_compressed(HERE / "vectors.npz", vectors=vectors.astype(np.float32))


main()
