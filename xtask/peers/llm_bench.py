"""Language models against llama.cpp: the same file, the same tokens, in the same run.

    python llm_bench.py TILEWORK MODEL.gguf [--agreement] [--formats Q8_0,Q4_0,...] [--text FILE] [--rounds N]

Speed: tokens per second of a prompt of 512 tokens and of the 64 tokens that follow, written one by one, both programs with two threads, taking
turns; the ratio is of the medians. Agreement: for each format the model is written anew by `tilework quantize`, which llama.cpp reads
too; for 512 tokens of a text it prints how often the most likely token is the same, the mean Kullback-Leibler divergence, and the
perplexities. The first row is llama.cpp against itself, with the same tokens one at a time: what rounding to 8 bits alone does.
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


def llama(path, logits_all=False, n_batch=N_PROMPT):
    return Llama(path, n_ctx=1024, n_threads=2, n_threads_batch=2, n_batch=n_batch, verbose=False, logits_all=logits_all)


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


def llama_logits(path, tokens, n_batch=N_PROMPT):
    peer = llama(path, logits_all=True, n_batch=n_batch)
    peer.eval(tokens)
    return log_softmax(np.array(peer.scores[: len(tokens)]))


def print_row(name, tokens, theirs, ours):
    same = (ours.argmax(-1) == theirs.argmax(-1)).mean()
    divergence = (np.exp(theirs) * (theirs - ours)).sum(-1).mean()
    at = np.arange(len(tokens) - 1), np.array(tokens[1:])
    a, b = np.exp(-theirs[at].mean()), np.exp(-ours[at].mean())
    print(f"| {name} | {100 * same:.2f} % | {divergence:.2e} | {a:.3f} | {b:.3f} | {100 * (b / a - 1):+.2f} % |", flush=True)


def agreement(args):
    formats = args.formats.split(",")
    peer = llama(args.model)
    tokens = text_tokens(peer, args.text)
    del peer
    print("| format | same best token | mean divergence | perplexity llama.cpp | Tilework | difference |\n|---|---|---|---|---|---|")
    print_row("llama.cpp itself", tokens, llama_logits(args.model, tokens), llama_logits(args.model, tokens, n_batch=1))
    with tempfile.TemporaryDirectory() as folder:
        for name in formats:
            path = args.model if name == "as is" else os.path.join(folder, f"{name}.gguf")
            if name != "as is":
                subprocess.run([args.tilework, "quantize", args.model, path, "--type", name], check=True, capture_output=True)
            out = os.path.join(folder, "logits.npy")
            command = [args.tilework, "logits", "-m", path, "--tokens", ",".join(map(str, tokens)), "--out", out,
                       "--device", args.device]
            subprocess.run(command, check=True, capture_output=True)
            print_row(name, tokens, llama_logits(path, tokens), log_softmax(np.load(out)))
            if name != "as is":
                os.remove(path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilework")
    parser.add_argument("model")
    parser.add_argument("--agreement", action="store_true")
    parser.add_argument("--formats", default="as is,Q8_0,Q4_0,Q4_K_M,Q5_K_M,Q6_K,F16")
    parser.add_argument("--text", default=TEXT)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    agreement(args) if args.agreement else speed(args)


if __name__ == "__main__":
    sys.exit(main())
