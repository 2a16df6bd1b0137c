// Attention, what its kernels share: which keys a query sees, and the score of a query and a key.
// Query i has the absolute position n_past + i. Scores are in units of ln 2, so that a weight is a power of two of one.
// params: n_q, n_kv, window, scale (bits of an f32, over ln 2 unless capped), cap, cap_per_ln2
// needs: n_past(), mask_at(batch, head, query, key), CAUSAL, WINDOWED, CAPPED, MASKED (generated); Num = f32

// What stands for minus infinity: a compiler may assume that infinities do not occur. At or below it, a key is not seen.
const LOWEST: f32 = -3.0e38;
const PER_LN2: f32 = 1.4426950408889634;

// The first key that query `query` sees.
fn first_seen(query: u32, past: i32) -> u32 {
    return select(0u, u32(max(past + i32(query) + 1 - i32(params.window), 0)), WINDOWED);
}

// The key after the last one that query `query` sees.
fn end_seen(query: u32, past: i32) -> u32 {
    let last = select(past + i32(params.n_q), past + i32(query) + 1, CAUSAL);
    return u32(clamp(min(last, past + i32(params.n_q)), 0, i32(params.n_kv)));
}

// The score of a product of a query and a key.
fn score(product: f32, batch: u32, head: u32, query: u32, key: u32) -> f32 {
    var s = product * bitcast<f32>(params.scale);
    if CAPPED {
        s = bitcast<f32>(params.cap_per_ln2) * num_tanh(s);
    }
    if MASKED {
        s += mask_at(batch, head, query, key) * PER_LN2;
        // Also a mask of minus infinity; NaN stays.
        s = select(max(s, LOWEST), s, num_is_nan(s));
    }
    return s;
}

// The weight of a score next to a maximum.
fn weight(s: f32, highest: f32) -> f32 {
    return select(exp2(s - highest), 0.0, s <= LOWEST);
}
