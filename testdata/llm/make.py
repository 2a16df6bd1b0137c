"""Writes tiny language models with random weights, one per architecture and feature, and goldens.npz: the logits that llama.cpp
computes with them for the same tokens, in 32-bit floats, at every third position and the last.

Gemma is the exception. llama.cpp's CPU kernels look its Gaussian unit up in a table of 16-bit floats, which is wrong by a thousandth
of a logit. So its goldens are computed below by NumPy in 64-bit floats, and with that table instead they must be those of llama.cpp.

Run with NumPy 2, gguf 0.19 and llama-cpp-python 0.3.36: python make.py
Sizes are as small as they can be and still tell mistakes apart: fewer heads of keys than of queries, heads that are not as wide as the
model is divided by their number, windows and original contexts shorter than the sequence, caps low enough to bend scores.
"""
import pathlib

import gguf
import llama_cpp
import numpy as np
from gguf import GGUFValueType as V

here = pathlib.Path(__file__).parent
N_TOKENS, N_CONTEXT = 48, 256
PIECES = ["<unk>", "<s>", "</s>", "<0x0A>", "▁"] + [chr(ord("a") + i) for i in range(26)] + ["▁a"]
N_VOCAB = len(PIECES)
TOKENS = np.random.default_rng(1).integers(4, N_VOCAB, N_TOKENS).astype(np.int32)
POSITIONS = [*range(0, N_TOKENS - 1, 3), N_TOKENS - 1]

COMMON = dict(n_embd=16, n_heads=4, n_kv=2, head=8, ff=24, layers=2, tied=False, context=64)
"""What every model has unless its own line says otherwise; `meta` are keys of the architecture, `extra` tensors of the file."""
MODELS = {
    "llama": dict(arch="llama", head=4),
    "llama_tied": dict(arch="llama", head=4, tied=True, n_kv=4),
    "llama_biases": dict(arch="llama", head=4, biases=["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"]),
    "llama_some_biases": dict(arch="llama", head=4, biases=["attn_q", "attn_v"]),
    "llama_linear": dict(arch="llama", meta={"rope.scaling.type": "linear", "rope.scaling.factor": 4.0}),
    "llama_unscaled": dict(arch="llama", layers=1, meta={"rope.scaling.type": "none", "rope.scaling.factor": 4.0}),
    "llama_yarn": dict(arch="llama", n_heads=2, n_kv=1, head=16, meta={
        "rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 16}),
    "llama_yarn_factor": dict(arch="llama", n_heads=2, n_kv=1, head=16, layers=1, meta={
        "rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 64,
        "rope.scaling.attn_factor": 0.8}),
    "llama3": dict(arch="llama", n_heads=2, n_kv=1, head=16, meta={"rope.freq_base": 500000.0},
                   extra={"rope_freqs.weight": [1.0, 1.0, 1.7, 3.1, 5.2, 8.0, 8.0, 8.0]}),
    "llama_split": dict(arch="llama", head=4, split=7),
    "qwen2": dict(arch="qwen2", head=4, biases=["attn_q", "attn_k", "attn_v"], meta={"rope.freq_base": 1000000.0}),
    "qwen2_tied": dict(arch="qwen2", head=4, layers=1, tied=True, biases=["attn_q", "attn_k", "attn_v"], meta={
        "rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 16},
        output_bias=True),
    "qwen3": dict(arch="qwen3", qk_norm=True, meta={"rope.freq_base": 1000000.0}),
    "gemma2": dict(arch="gemma2", post_norms=True, tied=True, layers=3, meta={
        "attention.sliding_window": 9, "attn_logit_softcapping": 4.0, "final_logit_softcapping": 6.0}),
    "gemma3": dict(arch="gemma3", post_norms=True, qk_norm=True, tied=True, layers=7, n_heads=2, n_kv=1, ff=16, meta={
        "attention.sliding_window": 9, "rope.freq_base": 1000000.0, "rope.scaling.type": "linear", "rope.scaling.factor": 8.0}),
    "gemma3_pattern": dict(arch="gemma3", post_norms=True, qk_norm=True, tied=True, layers=3, n_heads=2, n_kv=1, ff=16, meta={
        "attention.sliding_window": 9, "attention.sliding_window_pattern": 2, "rope.freq_base": 500000.0,
        "rope.freq_base_swa": 2000.0, "final_logit_softcapping": 6.0}),
    "gemma3_everywhere": dict(arch="gemma3", post_norms=True, qk_norm=True, tied=True, n_heads=2, n_kv=1, ff=16, meta={
        "rope.freq_base": 500000.0}),
    "phi3": dict(arch="phi3", head=4, fused=True, meta={"attention.sliding_window": 9}),
    "phi3_long": dict(arch="phi3", n_heads=2, n_kv=1, fused=True, rope_dims=6, layers=2, meta={
        "rope.scaling.original_context_length": 256, "rope.scaling.attn_factor": 1.2},
        extra={"rope_factors_short.weight": [1.0, 1.1, 1.4], "rope_factors_long.weight": [1.5, 4.0, 9.0]}),
}
LONG_CONTEXT = 512


def tensors(shape, rng):
    """Names and values in the order of files that converters write."""
    n_embd, heads, kv, head, ff = (shape[key] for key in ["n_embd", "n_heads", "n_kv", "head", "ff"])
    matrix = lambda rows, cols, scale=1.0: (rng.standard_normal((rows, cols)) * scale / np.sqrt(cols)).astype(np.float32)
    vector = lambda n, middle: (middle + 0.3 * rng.standard_normal(n)).astype(np.float32)
    yield "token_embd.weight", matrix(N_VOCAB, n_embd, 2.0)
    for layer in range(shape["layers"]):
        name = f"blk.{layer}."
        q, k, v = matrix(heads * head, n_embd, 1.5), matrix(kv * head, n_embd, 1.5), matrix(kv * head, n_embd)
        gate, up, down = matrix(ff, n_embd), matrix(ff, n_embd), matrix(n_embd, ff)
        yield name + "attn_norm.weight", vector(n_embd, 1.0)
        if shape.get("fused"):
            yield name + "attn_qkv.weight", np.concatenate([q, k, v])
            yield name + "ffn_up.weight", np.concatenate([gate, up])
        else:
            yield name + "attn_q.weight", q
            yield name + "attn_k.weight", k
            yield name + "attn_v.weight", v
            yield name + "ffn_gate.weight", gate
            yield name + "ffn_up.weight", up
        yield name + "attn_output.weight", matrix(n_embd, heads * head)
        yield name + "ffn_down.weight", down
        yield name + "ffn_norm.weight", vector(n_embd, 1.0)
        rows = dict(attn_q=heads * head, attn_k=kv * head, attn_v=kv * head, attn_output=n_embd, ffn_gate=ff, ffn_up=ff, ffn_down=n_embd)
        for part in shape.get("biases", []):
            yield f"{name}{part}.bias", vector(rows[part], 0.0)
        if shape.get("qk_norm"):
            yield name + "attn_q_norm.weight", vector(head, 1.0)
            yield name + "attn_k_norm.weight", vector(head, 1.0)
        if shape.get("post_norms"):
            yield name + "post_attention_norm.weight", vector(n_embd, 1.0)
            yield name + "post_ffw_norm.weight", vector(n_embd, 1.0)
    yield "output_norm.weight", vector(n_embd, 1.0)
    if not shape["tied"]:
        yield "output.weight", matrix(N_VOCAB, n_embd, 2.0)
    if shape.get("output_bias"):
        yield "output.bias", vector(N_VOCAB, 0.0)
    for name, values in shape.get("extra", {}).items():
        yield name, np.array(values, dtype=np.float32)


def write(name, shape, rng):
    writer = gguf.GGUFWriter(here / f"{name}.gguf", shape["arch"], split_max_tensors=shape.get("split", 0))
    writer.add_context_length(shape["context"])
    writer.add_embedding_length(shape["n_embd"])
    writer.add_block_count(shape["layers"])
    writer.add_feed_forward_length(shape["ff"])
    writer.add_head_count(shape["n_heads"])
    writer.add_head_count_kv(shape["n_kv"])
    writer.add_layer_norm_rms_eps(1e-6)
    if shape["head"] * shape["n_heads"] != shape["n_embd"]:
        writer.add_key_length(shape["head"])
        writer.add_value_length(shape["head"])
    writer.add_rope_dimension_count(shape.get("rope_dims", shape["head"]))
    kinds = {str: V.STRING, float: V.FLOAT32, int: V.UINT32}
    for key, value in shape.get("meta", {}).items():
        writer.add_key_value(f"{shape['arch']}.{key}", value, kinds[type(value)])
    writer.add_tokenizer_model("llama")
    writer.add_token_list(PIECES)
    writer.add_token_scores([-float(i) for i in range(N_VOCAB)])
    writer.add_token_types([2, 3, 3, 6] + [1] * (N_VOCAB - 4))
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    for tensor, values in tensors(shape, rng):
        writer.add_tensor(tensor, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def logits(path, n_context):
    model = llama_cpp.Llama(str(path), n_ctx=n_context, n_batch=64, n_gpu_layers=0, logits_all=True, flash_attn=False,
                            type_k=llama_cpp.GGML_TYPE_F32, type_v=llama_cpp.GGML_TYPE_F32, n_threads=1, verbose=False)
    model.eval(TOKENS.tolist())
    return np.array(model.scores[:N_TOKENS], dtype=np.float32)[POSITIONS]


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * x * (1 + 0.044715 * x * x)))


def gelu_by_table(x):
    """As in ggml: rounded to 16 bits before and after, except far from zero."""
    rounded = gelu(x.astype(np.float16).astype(np.float64)).astype(np.float16).astype(np.float64)
    return np.where(x <= -10, 0, np.where(x >= 10, x, rounded))


def gemma(shape, weights, unit):
    """Gemma 2 and 3 as their papers have them."""
    meta, n_embd, head, n_kv = shape.get("meta", {}), shape["n_embd"], shape["head"], shape["n_kv"]
    weights = {name: values.astype(np.float64) for name, values in weights.items()}
    norm = lambda x, name: x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * weights[name]
    place = np.arange(N_TOKENS)
    is_3 = shape["arch"] == "gemma3"
    period = meta.get("attention.sliding_window_pattern", 6 if is_3 else 2)
    window = meta.get("attention.sliding_window", 0)
    base = meta.get("rope.freq_base", 1e4)

    def turned(heads, base, factor):
        angle = place[:, None] / factor * base ** (-np.arange(0, head, 2) / head)
        a, b = np.split(heads, 2, axis=-1)
        return np.concatenate([a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)], axis=-1)

    x = weights["token_embd.weight"][TOKENS] * np.sqrt(n_embd)
    for layer in range(shape["layers"]):
        name = f"blk.{layer}."
        is_windowed = window > 0 and layer % period < period - 1
        seen = norm(x, name + "attn_norm.weight")
        q, k, v = ((seen @ weights[f"{name}attn_{part}.weight"].T).reshape(N_TOKENS, -1, head).transpose(1, 0, 2) for part in "qkv")
        if is_3:
            q, k = norm(q, name + "attn_q_norm.weight"), norm(k, name + "attn_k_norm.weight")
        local = (meta.get("rope.freq_base_swa", 1e4 if is_3 else base), 1.0)
        rope = local if is_windowed else (base, meta.get("rope.scaling.factor", 1.0))
        q, k = turned(q, *rope), turned(k, *rope)
        k, v = (np.repeat(part, shape["n_heads"] // n_kv, axis=0) for part in (k, v))
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(head)
        if not is_3:
            cap = meta["attn_logit_softcapping"]
            scores = cap * np.tanh(scores / cap)
        back = place[:, None] - place
        scores = np.where((back < 0) | (is_windowed & (back >= window)), -np.inf, scores)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        found = (scores / scores.sum(-1, keepdims=True)) @ v
        found = found.transpose(1, 0, 2).reshape(N_TOKENS, -1) @ weights[name + "attn_output.weight"].T
        x = x + norm(found, name + "post_attention_norm.weight")
        fed = norm(x, name + "ffn_norm.weight")
        fed = unit(fed @ weights[name + "ffn_gate.weight"].T) * (fed @ weights[name + "ffn_up.weight"].T)
        x = x + norm(fed @ weights[name + "ffn_down.weight"].T, name + "post_ffw_norm.weight")
    found = norm(x, "output_norm.weight") @ weights["token_embd.weight"].T
    cap = meta.get("final_logit_softcapping")
    return (cap * np.tanh(found / cap) if cap else found)[POSITIONS]


goldens = {"tokens": TOKENS, "positions": np.array(POSITIONS, dtype=np.int32)}
for index, (name, changes) in enumerate(MODELS.items()):
    shape = {**COMMON, **changes}
    write(name, shape, np.random.default_rng(100 + index))
    first = min(here.glob(f"{name}-00001-of-*.gguf"), default=here / f"{name}.gguf")
    goldens[name] = logits(first, N_CONTEXT)
    if "rope_factors_long.weight" in shape.get("extra", {}):
        goldens[f"{name}.{LONG_CONTEXT}"] = logits(first, LONG_CONTEXT)
    if name.startswith("gemma"):
        weights = dict(tensors(shape, np.random.default_rng(100 + index)))
        difference = np.abs(gemma(shape, weights, gelu_by_table) - goldens[name]).max()
        # Where the two round a gate to different neighbours in the table, they differ by more than the last bits.
        assert difference < 1e-4 * np.abs(goldens[name]).max(), (name, difference)
        goldens[name] = gemma(shape, weights, gelu).astype(np.float32)
    print(name, np.abs(goldens[name]).max())
np.savez_compressed(here / "goldens.npz", **goldens)
