"""Writes unigram.gguf and spm.gguf, tiny SentencePiece models trained here, and unigram.txt and spm.txt: what SentencePiece itself
makes of difficult strings with them.

Run with sentencepiece 0.2, protobuf and gguf 0.19: python make_sentencepiece.py
The unigram model replaces characters by rules of its own (a small table, where real models have a large one) and merges spaces;
the other one is byte-pair encoding with bytes for what it does not know. Strings are those of smollm2.txt.
A line is the text as JSON, a tab, the tokens.
"""
import io
import json
import pathlib
import tempfile

import gguf
import sentencepiece as spm
from sentencepiece import sentencepiece_model_pb2 as proto

here = pathlib.Path(__file__).parent
TEXTS = [json.loads(line.split("\t")[0]) for line in (here / "smollm2.txt").read_text().splitlines()]
TEXTS += ["ｆｕｌｌ ｗｉｄｔｈ ﬁne ﬂow", "a\u00a0b\u3000c\u200bd", "ﬀ ﬃ ①② ㌔ ｱﾞ", "Ä\u0308 e\u0301"]
CORPUS = (here / "../../README.md").read_text() + (here / "../../CONTRIBUTING.md").read_text()
RULES = {**{chr(0xFF01 + i): chr(0x21 + i) for i in range(94)}, "ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "\u00a0": " ", "\u3000": " ",
         "\u200b": "", "①": "1", "②": "2", "㌔": "キロ", "e\u0301": "é", "A\u0308": "Ä", "\t": " ", "\n": " ", "\r": " ", "½": "1/2"}
KINDS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6}  # The numbers of SentencePiece and GGUF are the same.


def train(folder, **options):
    out = io.BytesIO()
    lines = [line for line in CORPUS.splitlines() if line.strip()]
    spm.SentencePieceTrainer.train(sentence_iterator=iter(lines), model_writer=out, minloglevel=2, **options)
    return out.getvalue()


def write(name, bytes_, kind):
    model = proto.ModelProto.FromString(bytes_)
    writer = gguf.GGUFWriter(here / f"{name}.gguf", "test")
    writer.add_tokenizer_model(kind)
    writer.add_token_list([piece.piece for piece in model.pieces])
    writer.add_token_scores([piece.score for piece in model.pieces])
    writer.add_token_types([KINDS[piece.type] for piece in model.pieces])
    writer.add_unk_token_id(model.trainer_spec.unk_id)
    writer.add_add_space_prefix(model.normalizer_spec.add_dummy_prefix)
    writer.add_remove_extra_whitespaces(model.normalizer_spec.remove_extra_whitespaces)
    if kind == "t5":
        writer.add_precompiled_charsmap(model.normalizer_spec.precompiled_charsmap)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    processor = spm.SentencePieceProcessor(model_proto=bytes_)
    lines = [f"{json.dumps(text)}\t{' '.join(map(str, processor.encode(text)))}" for text in TEXTS if "\0" not in text]
    (here / f"{name}.txt").write_text("\n".join(lines) + "\n")


with tempfile.TemporaryDirectory() as folder:
    rules = pathlib.Path(folder) / "rules.tsv"
    codes = lambda text: " ".join(f"{ord(c):X}" for c in text)
    rules.write_text("".join(f"{codes(source)}\t{codes(target)}\n" for source, target in RULES.items()))
    write("unigram", train(folder, vocab_size=400, model_type="unigram", character_coverage=0.98,
                           normalization_rule_tsv=str(rules)), "t5")
    write("spm", train(folder, vocab_size=700, model_type="bpe", byte_fallback=True, normalization_rule_name="identity",
                       remove_extra_whitespaces=False), "llama")
