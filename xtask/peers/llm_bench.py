"""Language models against llama.cpp: the same file, the same tokens, in the same run.

    python llm_bench.py TILEWORK MODEL.gguf [--rounds N] [--text FILE]
    python llm_bench.py TILEWORK MODEL.gguf --agreement | --greedy  [--formats Q8_0,Q4_0,...] [--device cpu|gpu] [--tokens N]

Speed: tokens per second of a prompt of 512 tokens and of the 64 tokens that follow, written one by one, both programs with two threads, taking
turns; the ratio is of the medians.

Agreement: for each format the model is written anew by `tilework quantize`, which llama.cpp reads too; for 512 tokens of a text it prints how
often the most likely token is the same, the mean Kullback-Leibler divergence, and the perplexities. llama.cpp rounds vectors to 8 bits where
weights are packed, so it is asked twice: with the file (Tilework then keeps keys and values as 16-bit floats, as it does), and with the
same weights as 32-bit floats, where nothing is rounded (nor here, `--cache-type f32`). The first row is llama.cpp against itself: with the file,
when it reads the text token by token instead of at once; and the file against its weights as floats. Which way a number is rounded
depends on the last bits of the one before, so nobody who adds up in another order can be nearer to it than it is to itself.

Greedy: how many of 20 prompts are continued by the same 32 tokens, again next to both.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
    from llama_cpp import Llama
except ImportError as error:
    sys.exit(print(f"Not measured: {error}."))

N_PROMPT = 512
N_WRITTEN = 64
TEXT = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "numerics.md")


N_CONTINUED = 32
PROMPTS = [
    "Once upon a time", "The capital of France is", "def fibonacci(n):", "In 1905, Albert Einstein", "The recipe begins with two eggs and",
    "Dear Sir or Madam,", "Water boils at", "The mitochondria is", "My favorite season is autumn because", "SELECT name FROM users WHERE",
    "The stock market fell today after", "To be, or not to be,", "A triangle has three", "The quick brown fox", "Photosynthesis is the process by which",
    "She opened the door and saw", "The first step in learning to play the piano is", "import numpy as np", "Mount Everest is",
    "The difference between a virus and a bacterium is",
]


def llama(path, logits_all=False, exact=False, n_batch=N_PROMPT):
    """With `exact`, keys and values are kept as 32-bit floats, too."""
    kept = {"type_k": 0, "type_v": 0} if exact else {}
    return Llama(path, n_ctx=1024, n_threads=2, n_threads_batch=2, n_batch=n_batch, verbose=False, logits_all=logits_all, **kept)


def text_tokens(model, path):
    with open(path, encoding="utf-8") as file:
        return model.tokenize(file.read(8000).encode())[:N_PROMPT]


def llama_speed(model, tokens):
    model.reset()
    start = time.perf_counter()
    model.eval(tokens)
    prompt = len(tokens) / (time.perf_counter() - start)
    start = time.perf_counter()
    for k in range(N_WRITTEN):
        model.eval([tokens[k]])
    return prompt, N_WRITTEN / (time.perf_counter() - start)


def tilework_speed(program, model, prompt):
    command = [program, "generate", "-m", model, prompt, "-n", str(N_WRITTEN), "--json", "--device", "cpu",
               "--temperature", "0", "--ignore-eos"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found["prompt_tokens_per_s"], found["decode_tokens_per_s"]


def speed(args):
    peer = llama(args.model)
    tokens = text_tokens(peer, args.text)
    prompt = peer.detokenize(tokens).decode(errors="replace")
    rows = {"prompt": ([], []), "written": ([], [])}
    for _ in range(args.rounds):
        theirs, ours = llama_speed(peer, tokens), tilework_speed(args.tilework, args.model, prompt)
        for name, a, b in zip(rows, theirs, ours):
            rows[name][0].append(a)
            rows[name][1].append(b)
    print("| work | llama.cpp | Tilework | ratio |\n|---|---|---|---|")
    for name, (theirs, ours) in rows.items():
        a, b = statistics.median(theirs), statistics.median(ours)
        print(f"| {name}, tokens/s | {a:.1f} | {b:.1f} | {b / a:.2f} |")


def log_softmax(logits):
    logits = logits.astype(np.float64)
    logits -= logits.max(-1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(-1, keepdims=True))


def llama_logits(path, tokens, **settings):
    peer = llama(path, logits_all=True, **settings)
    peer.eval(tokens)
    return log_softmax(np.array(peer.scores[: len(tokens)]))


def compare(tokens, theirs, ours):
    """Share of the same most likely tokens, mean divergence, and both perplexities."""
    same = (ours.argmax(-1) == theirs.argmax(-1)).mean()
    divergence = (np.exp(theirs) * (theirs - ours)).sum(-1).mean()
    at = np.arange(len(tokens) - 1), np.array(tokens[1:])
    return same, divergence, np.exp(-theirs[at].mean()), np.exp(-ours[at].mean())


def cells(same, divergence, a, b):
    return f"{100 * same:.2f} % | {divergence:.1e} | {100 * (b / a - 1):+.2f} %"


class Files:
    """The model in other formats, one after the other."""

    def __init__(self, args, folder):
        self.args, self.folder = args, folder

    def write(self, source, kind):
        path = os.path.join(self.folder, f"{kind}-of-{os.path.basename(source)}")
        if not os.path.exists(path):
            subprocess.run([self.args.tilework, "quantize", source, path, "--type", kind], check=True, capture_output=True)
        return path

    def each(self):
        """Name, file, and the same weights as floats, for each format; gone when the next is asked for."""
        for name in self.args.formats.split(","):
            path = self.args.model if name == "as is" else self.write(self.args.model, name)
            wide = self.write(path, "F32")
            yield name, path, wide
            for written in {path, wide} - {self.args.model}:
                os.remove(written)


def agreement(args):
    peer = llama(args.model)
    tokens = text_tokens(peer, args.text)[: args.tokens]
    del peer
    print("| format | same best token, llama.cpp with the file | divergence | perplexity | with its weights as floats | divergence | perplexity |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, path, wide in Files(args, folder).each():
            rounded, exact = llama_logits(path, tokens), llama_logits(wide, tokens, exact=True)
            ours, ours_exact = (tilework_logits(args, path, tokens, folder, kept) for kept in ("f16", "f32"))
            if name == "as is":
                one_by_one = llama_logits(path, tokens, n_batch=1)
                print(f"| llama.cpp itself | {cells(*compare(tokens, rounded, one_by_one))} | {cells(*compare(tokens, exact, rounded))} |")
            print(f"| {name} | {cells(*compare(tokens, rounded, ours))} | {cells(*compare(tokens, exact, ours_exact))} |", flush=True)


def tilework_logits(args, path, tokens, folder, kept):
    out = os.path.join(folder, "logits.npy")
    command = [args.tilework, "logits", "-m", path, "--tokens", ",".join(map(str, tokens)), "--out", out, "--device", args.device]
    subprocess.run([*command, "--cache-type", kept], check=True, capture_output=True)
    return log_softmax(np.load(out))


def continued(peer, prompt):
    tokens = peer.tokenize(prompt.encode(), add_bos=False)
    found = peer.generate(tokens, temp=0.0, repeat_penalty=1.0)
    return up_to_end(peer, [token for token, _ in zip(found, range(N_CONTINUED))])


def up_to_end(peer, tokens):
    end = peer.token_eos()
    return tokens[: tokens.index(end)] if end in tokens else tokens


def greedy(args):
    print(f"| format | of {len(PROMPTS)} prompts: llama.cpp with the file | with its weights as floats | those two |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, path, wide in Files(args, folder).each():
            rounded, exact = llama(path), llama(wide, exact=True)
            found = []
            for prompt in PROMPTS:
                command = [args.tilework, "generate", "-m", path, prompt, "-n", str(N_CONTINUED), "--json", "--device", args.device,
                           "--temperature", "0"]
                ours = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["tokens"]
                found.append((up_to_end(exact, ours), continued(rounded, prompt), continued(exact, prompt)))
            with_file, with_floats = (sum(each[0] == each[k] for each in found) for k in (1, 2))
            print(f"| {name} | {with_file} | {with_floats} | {sum(each[1] == each[2] for each in found)} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilework")
    parser.add_argument("model")
    parser.add_argument("--agreement", action="store_true")
    parser.add_argument("--greedy", action="store_true")
    parser.add_argument("--tokens", type=int, default=N_PROMPT)
    parser.add_argument("--formats", default="as is,Q8_0,Q4_0,Q4_K_M,Q5_K_M,Q6_K,F16")
    parser.add_argument("--text", default=TEXT)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    (agreement if args.agreement else greedy if args.greedy else speed)(args)


if __name__ == "__main__":
    sys.exit(main())
