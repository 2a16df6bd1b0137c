// Blocks of 4 x 4 numbers, the unit in which the fast products read, multiply and store.
// A block is four rows; nothing is indexed at run time, so it lives in registers and costs no bounds checks.
// The multiply-adds are written out: loops would carry guards in browsers.
// needs: nothing
struct Block {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
    w: vec4<f32>,
}

fn transposed(b: Block) -> Block {
    return Block(
        vec4(b.x.x, b.y.x, b.z.x, b.w.x),
        vec4(b.x.y, b.y.y, b.z.y, b.w.y),
        vec4(b.x.z, b.y.z, b.z.z, b.w.z),
        vec4(b.x.w, b.y.w, b.z.w, b.w.w),
    );
}

// sum + a * b for one row of a.
fn add_row_product(sum: vec4<f32>, a: vec4<f32>, b: Block) -> vec4<f32> {
    return fma(vec4(a.w), b.w, fma(vec4(a.z), b.z, fma(vec4(a.y), b.y, fma(vec4(a.x), b.x, sum))));
}

// sum + a * b
fn add_product(sum: Block, a: Block, b: Block) -> Block {
    return Block(
        add_row_product(sum.x, a.x, b),
        add_row_product(sum.y, a.y, b),
        add_row_product(sum.z, a.z, b),
        add_row_product(sum.w, a.w, b),
    );
}
