// y[r, c] = exp(x[r, c]) / sum over c of exp(x[r, c]); one workgroup of 64 threads per row.
const WIDTH: u32 = 64u;
struct Size { n_rows: u32, n_cols: u32 }

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> size: Size;

// Memory that the threads of one workgroup share: a place for each.
var<workgroup> part: array<f32, WIDTH>;

@compute @workgroup_size(WIDTH)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let first = group.x * size.n_cols;

    // Each thread adds up its own share of the row: columns lane, lane + 64, lane + 128 ...
    var sum = 0.0;
    for (var col = lane; col < size.n_cols; col += WIDTH) {
        sum += exp(x[first + col]);
    }
    part[lane] = sum;
    workgroupBarrier();

    // The tree: 64 sums become 32, 16, 8, 4, 2, 1.
    for (var width = WIDTH / 2u; width > 0u; width /= 2u) {
        if lane < width {
            part[lane] += part[lane + width];
        }
        workgroupBarrier();
    }
    let total = part[0];

    for (var col = lane; col < size.n_cols; col += WIDTH) {
        y[first + col] = exp(x[first + col]) / total;
    }
}
