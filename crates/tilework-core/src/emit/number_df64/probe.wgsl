// Does a device leave error-free transformations alone? For every pair (a, b): their sum, the sum that knows the larger comes
// first, their product, each with its rounding error; and where compilers see most to simplify, in double-floats, a chain of variables
// (a + b) b - a b and, full of constants, 1 / b and e^m, where m is a brought to between 1/2 and 1. Chromium with SwiftShader, for
// one, leaves variables alone and cancels constants.
// One invocation per pair; inputs pairs[n], results[6 n] as bits, so that nothing rounds on the way out.
// params: n_pairs, opaque_zero
// needs: eft_sum, eft_quick_sum, eft_product (any variant), num_add, num_mul, num_recip, num_exp
@group(0) @binding(0) var<storage, read> pairs: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> results: array<vec2<u32>>;
struct ProbeParams {
    n_pairs: u32,
    opaque_zero: u32,
}
@group(0) @binding(2) var<uniform> params: ProbeParams;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= params.n_pairs {
        return;
    }
    let a = pairs[id.x].x;
    let b = pairs[id.x].y;
    let is_ordered = abs(a) >= abs(b);
    let first = 6u * id.x;
    results[first] = bitcast<vec2<u32>>(eft_sum(a, b));
    results[first + 1u] = bitcast<vec2<u32>>(eft_quick_sum(select(b, a, is_ordered), select(a, b, is_ordered)));
    results[first + 2u] = bitcast<vec2<u32>>(eft_product(a, b));
    let wide_a = num_of(a);
    let wide_b = num_of(b);
    let chain = num_sub(num_mul(num_add(wide_a, wide_b), wide_b), num_mul(wide_a, wide_b));
    results[first + 3u] = bitcast<vec2<u32>>(chain);
    results[first + 4u] = bitcast<vec2<u32>>(num_recip(wide_b));
    let m = bitcast<f32>((bitcast<u32>(a) & 0x807fffffu) | 0x3f000000u);
    results[first + 5u] = bitcast<vec2<u32>>(num_exp(num_of(m)));
}
