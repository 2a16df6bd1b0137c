// Error-free transformations for the df64 number module, by rounding errors: s + e equals the sum, or the product, exactly.
// Knuth's and Dekker's arguments hold only where the compiler neither reorders nor fuses these few operations, which WGSL does
// not promise; the probe finds out. `eft_integer.wgsl` defines the same functions for every other device.

// a + b.
fn eft_sum(a: f32, b: f32) -> vec2<f32> {
    let s = a + b;
    let from_b = s - a;
    let from_a = s - from_b;
    return vec2<f32>(s, (a - from_a) + (b - from_b));
}

// a + b for |a| >= |b| or a = 0.
fn eft_quick_sum(a: f32, b: f32) -> vec2<f32> {
    let s = a + b;
    return vec2<f32>(s, b - (s - a));
}

// a * b. Heads of 12 bits make every partial product exact, and no splitting can overflow.
fn eft_product(a: f32, b: f32) -> vec2<f32> {
    let p = a * b;
    let a_head = f32_head(a);
    let a_tail = a - a_head;
    let b_head = f32_head(b);
    let b_tail = b - b_head;
    let e = ((a_head * b_head - p) + a_head * b_tail) + a_tail * b_head;
    return vec2<f32>(p, e + a_tail * b_tail);
}
