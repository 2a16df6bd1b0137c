"""Writes small.gguf (every type of metadata, tensors of several formats), as the Python package gguf writes it, and recipes.txt: the
format that llama.cpp's quantizer gives each tensor of made-up models by each recipe.

Run with NumPy 2, gguf 0.19 and llama-cpp-python: python make.py
A line of recipes.txt is `MODEL RECIPE FORMAT name=FORMAT ...`: that of most matrices and of the others; MODEL says how to make the same directory of tensors in a test:
layers, columns, columns of the feed-forward part, heads, heads of keys and values, experts, tied or not.
"""
import collections
import ctypes
import pathlib
import tempfile

import gguf
import llama_cpp
import numpy as np
from gguf import GGUFValueType as V

here = pathlib.Path(__file__).parent
rng = np.random.default_rng(3)


def small():
    writer = gguf.GGUFWriter(here / "small.gguf", "test")
    writer.add_key_value("a.u8", 200, V.UINT8)
    writer.add_key_value("a.i8", -100, V.INT8)
    writer.add_key_value("a.u16", 60000, V.UINT16)
    writer.add_key_value("a.i16", -30000, V.INT16)
    writer.add_key_value("a.u32", 4000000000, V.UINT32)
    writer.add_key_value("a.i32", -2000000000, V.INT32)
    writer.add_key_value("a.f32", 0.15625, V.FLOAT32)
    writer.add_key_value("a.u64", 2**63 + 1, V.UINT64)
    writer.add_key_value("a.i64", -(2**62), V.INT64)
    writer.add_key_value("a.f64", 1e300, V.FLOAT64)
    writer.add_key_value("a.bool", True, V.BOOL)
    writer.add_key_value("a.string", "größer\n", V.STRING)
    writer.add_array("a.strings", ["one", "", "zwei ½"])
    writer.add_array("a.floats", [0.5, -2.0])
    writer.add_array("a.ints", [1, -2, 3])
    writer.add_array("a.nested", [[1, 2], [3]])
    writer.add_tensor("vector", np.arange(5, dtype=np.float32))
    writer.add_tensor("matrix", np.arange(12, dtype=np.float16).reshape(3, 4))
    q8 = gguf.quants.quantize(np.arange(128, dtype=np.float32).reshape(2, 64), gguf.GGMLQuantizationType.Q8_0)
    writer.add_tensor("quantized", q8, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def model(path, shape):
    layers, cols, feed, heads, kv_heads, experts, tied = shape
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(layers)
    writer.add_context_length(64)
    writer.add_embedding_length(cols)
    writer.add_feed_forward_length(feed)
    writer.add_head_count(heads)
    writer.add_head_count_kv(kv_heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(cols // heads)
    writer.add_vocab_size(32)
    if experts:
        writer.add_expert_count(experts)
        writer.add_expert_used_count(2)
    add = lambda name, *sizes: writer.add_tensor(name, rng.standard_normal(sizes).astype(np.float32) * np.float32(0.02))
    add("token_embd.weight", 32, cols)
    add("output_norm.weight", cols)
    if not tied:
        add("output.weight", 32, cols)
    for layer in range(layers):
        kv_cols = cols // heads * kv_heads
        for name, rows in [("attn_q", cols), ("attn_k", kv_cols), ("attn_v", kv_cols), ("attn_output", cols)]:
            add(f"blk.{layer}.{name}.weight", rows, cols)
        add(f"blk.{layer}.attn_norm.weight", cols)
        add(f"blk.{layer}.ffn_norm.weight", cols)
        if experts:
            add(f"blk.{layer}.ffn_gate_inp.weight", experts, cols)
            add(f"blk.{layer}.ffn_gate_exps.weight", experts, feed, cols)
            add(f"blk.{layer}.ffn_up_exps.weight", experts, feed, cols)
            add(f"blk.{layer}.ffn_down_exps.weight", experts, cols, feed)
        else:
            add(f"blk.{layer}.ffn_gate.weight", feed, cols)
            add(f"blk.{layer}.ffn_up.weight", feed, cols)
            add(f"blk.{layer}.ffn_down.weight", cols, feed)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


RECIPES = {"F32": 0, "F16": 1, "BF16": 32, "Q4_0": 2, "Q4_1": 3, "Q5_0": 8, "Q5_1": 9, "Q8_0": 7, "Q2_K": 10, "Q3_K_S": 11, "Q3_K_M": 12,
           "Q3_K_L": 13, "Q4_K_S": 14, "Q4_K_M": 15, "Q5_K_S": 16, "Q5_K_M": 17, "Q6_K": 18, "IQ4_NL": 25, "IQ4_XS": 30}
MODELS = [(16, 256, 256, 8, 2, 0, 0), (9, 96, 256, 6, 2, 0, 1), (10, 256, 288, 8, 4, 0, 1), (8, 256, 256, 4, 2, 8, 0)]


def recipes():
    lines = []
    for shape in MODELS:
        with tempfile.TemporaryDirectory() as folder:
            source, target = f"{folder}/in.gguf", f"{folder}/out.gguf"
            model(source, shape)
            for name, number in RECIPES.items():
                params = llama_cpp.llama_model_quantize_default_params()
                params.ftype = number
                assert llama_cpp.llama_model_quantize(source.encode(), target.encode(), ctypes.byref(params)) == 0
                tensors = gguf.GGUFReader(target).tensors
                formats = {t.name: t.tensor_type.name for t in tensors if t.n_elements > shape[1]}
                most = collections.Counter(formats.values()).most_common(1)[0][0]
                others = " ".join(f"{name}={format}" for name, format in formats.items() if format != most)
                lines.append(f"{','.join(map(str, shape))} {name} {most} {others}")
    (here / "recipes.txt").write_text("\n".join(lines) + "\n")


small()
recipes()
