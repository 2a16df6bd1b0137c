"""Sentence embeddings: PyTorch against `tilework embed --time --device cpu`, in turns, as a Markdown table on standard output.

Called by `cargo xtask bench --peers` with the path of the release program and the folder of the model. Every round measures the
peers, then Tilework, for each set of texts; a cell is the fastest of the rounds' medians. Both read the same texts and write vectors
of length 1. "encode" is sentence-transformers as its users call it. "model" is only what PyTorch computes: tokens, padded to the
longest of the 32, are there before and are not timed.
"""

import json
import os
import statistics
import subprocess
import sys
import time

N_THREADS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
for name in ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "TILEWORK_THREADS"]:
    os.environ[name] = str(N_THREADS)
os.environ["TOKENIZERS_PARALLELISM"] = "true"
os.environ["TRANSFORMERS_VERBOSITY"] = "error"

N_ROUNDS = 5
MIN_SAMPLES = 5
BUDGET_S = 0.8
N_TEXTS = 32
WORDS = "the river runs slowly past old houses where people sit and talk about weather music trains and bread".split()


def text(n_tokens, start):
    """A text of so many tokens: the words are tokens of their own, and two stand around it."""
    return " ".join(WORDS[(start + k) % len(WORDS)] for k in range(n_tokens - 2))


def texts_of(lengths):
    return [text(n_tokens, start) for start, n_tokens in enumerate(lengths)]


# Name, lengths in tokens.
SETS = [
    ("32 texts of 12 tokens", [12] * N_TEXTS),
    ("32 texts of 24 tokens", [24] * N_TEXTS),
    ("32 texts of 128 tokens", [128] * N_TEXTS),
    ("32 texts of 6 to 68 tokens", [6 + 2 * (k * 13 % N_TEXTS) for k in range(N_TEXTS)]),
]


def median_ms(work):
    """Median of at least five runs after a warm-up, as `tilework embed --time` does it."""
    work()
    samples = []
    start = time.perf_counter()
    while len(samples) < MIN_SAMPLES or time.perf_counter() - start < BUDGET_S:
        before = time.perf_counter()
        work()
        samples.append(time.perf_counter() - before)
    return statistics.median(samples) * 1e3


def tilework(program, folder, texts):
    command = [program, "embed", "-m", folder, "--device", "cpu", "--time", "--vectors", "--json", "-"]
    lines = "\n".join(texts).encode()
    answer = json.loads(subprocess.run(command, check=True, input=lines, stdout=subprocess.PIPE).stdout)
    return answer["ms"], answer["vectors"]


class PyTorch:
    def __init__(self, folder):
        import torch
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(N_THREADS)
        self.torch = torch
        self.version = torch.__version__
        self.sentences = SentenceTransformer(folder, device="cpu")
        self.model = self.sentences[0].auto_model if hasattr(self.sentences[0], "auto_model") else self.sentences[0].model

    def encode(self, texts):
        return self.sentences.encode(texts, batch_size=N_TEXTS, show_progress_bar=False)

    def tokens(self, texts):
        return self.sentences.tokenizer(texts, padding=True, return_tensors="pt")

    def compute(self, tokens):
        with self.torch.inference_mode():
            vectors = self.model(**tokens).last_hidden_state
            mask = tokens["attention_mask"].unsqueeze(-1).to(vectors.dtype)
            means = (vectors * mask).sum(1) / mask.sum(1)
            return self.torch.nn.functional.normalize(means).numpy()


def largest_difference(a, b):
    return max(abs(float(x) - float(y)) for row_a, row_b in zip(a, b) for x, y in zip(row_a, row_b))


def main():
    program, folder = sys.argv[1:]
    try:
        peer = PyTorch(folder)
    except ImportError:
        print("sentence-transformers is not installed here and was not measured.")
        return
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    best = {name: [float("inf")] * 3 for name, _ in SETS}
    for round_number in range(N_ROUNDS):
        print(f"    round {round_number + 1} of {N_ROUNDS}", file=sys.stderr, flush=True)
        for name, lengths in SETS:
            texts = texts_of(lengths)
            tokens = peer.tokens(texts)
            assert tokens["attention_mask"].sum(1).tolist() == lengths, "a word is several tokens"
            encode = median_ms(lambda: peer.encode(texts))
            compute = median_ms(lambda: peer.compute(tokens))
            # The peer's worker threads spin for a moment after their last task.
            time.sleep(0.1)
            ours, vectors = tilework(program, folder, texts)
            assert largest_difference(vectors, peer.compute(tokens)) < 1e-5, "the vectors differ"
            best[name] = [min(pair) for pair in zip(best[name], [encode, compute, ours])]
    print(f"all-MiniLM-L6-v2 in 32-bit floats; PyTorch {peer.version} and Tilework on {N_THREADS} threads each.", end="")
    print("\n" if busy < 0.5 else f" The machine was busy: a load of {busy:.1f} before the run.\n")
    print("| texts | PyTorch encode, ms | PyTorch model, ms | Tilework, ms | encode / Tilework | model / Tilework |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, (encode, compute, ours) in best.items():
        print(f"| {name} | {encode:.1f} | {compute:.1f} | {ours:.1f} | {encode / ours:.2f}× | {compute / ours:.2f}× |")


main()
