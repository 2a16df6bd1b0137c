// Error-free transformations for the df64 number module, by rounding errors behind a guard: s + e equals the sum, or the product.
// The arithmetic of `eft_classic.wgsl`, in which every rounded value passes through the integers: an exclusive or with a parameter
// that is always 0, which no compiler knows. So nothing can be reordered, fused or cancelled across it, at the price of one
// integer operation each.
// params: opaque_zero

// `x`, as far as a compiler can tell some other number.
fn eft_opaque(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ params.opaque_zero);
}

// a + b.
fn eft_sum(a: f32, b: f32) -> vec2<f32> {
    let s = eft_opaque(a + b);
    let from_b = eft_opaque(s - a);
    let from_a = eft_opaque(s - from_b);
    return vec2<f32>(s, eft_opaque(a - from_a) + eft_opaque(b - from_b));
}

// a + b for |a| >= |b| or a = 0.
fn eft_quick_sum(a: f32, b: f32) -> vec2<f32> {
    let small = eft_opaque(b);
    let s = eft_opaque(a + small);
    return vec2<f32>(s, small - eft_opaque(s - a));
}

// a * b. Heads of 12 bits make every partial product exact, and no splitting can overflow.
fn eft_product(a: f32, b: f32) -> vec2<f32> {
    let p = eft_opaque(a * b);
    let a_head = f32_head(a);
    let a_tail = eft_opaque(a - a_head);
    let b_head = f32_head(b);
    let b_tail = eft_opaque(b - b_head);
    let first = eft_opaque(a_head * b_head - p);
    let second = eft_opaque(first + a_head * b_tail);
    let third = eft_opaque(second + a_tail * b_head);
    return vec2<f32>(p, third + a_tail * b_tail);
}
