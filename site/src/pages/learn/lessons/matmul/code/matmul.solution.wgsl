// c[row, col] = sum over k of a[row, k] * b[k, col], one thread per cell of c.
// a: [n_rows, n_inner], b: [n_inner, n_cols], c: [n_rows, n_cols], all row by row.
struct Size { n_rows: u32, n_inner: u32, n_cols: u32 }

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> size: Size;

@compute @workgroup_size(4, 4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let row = id.y;
    let col = id.x;
    // Without this, a thread right of the matrix would write into the next row.
    if row >= size.n_rows || col >= size.n_cols {
        return;
    }
    var sum = 0.0;
    for (var k = 0u; k < size.n_inner; k++) {
        sum += a[row * size.n_inner + k] * b[k * size.n_cols + col];
    }
    c[row * size.n_cols + col] = sum;
}
