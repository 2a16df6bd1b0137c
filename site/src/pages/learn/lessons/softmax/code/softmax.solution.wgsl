// y[r, c] = exp(x[r, c] - m) / sum over c of exp(x[r, c] - m), with m the largest of row r; one workgroup of 64 threads per row.
// Subtracting m changes nothing in exact numbers, and keeps exp between 0 and 1 in real ones.
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

    // The largest of the row, by the same tree with max instead of +. The smallest f32 loses against everything.
    var highest = -3.4e38;
    for (var col = lane; col < size.n_cols; col += WIDTH) {
        highest = max(highest, x[first + col]);
    }
    part[lane] = highest;
    workgroupBarrier();
    for (var width = WIDTH / 2u; width > 0u; width /= 2u) {
        if lane < width {
            part[lane] = max(part[lane], part[lane + width]);
        }
        workgroupBarrier();
    }
    let shift = part[0];
    // All threads must have read part[0] before anybody writes there again.
    workgroupBarrier();

    var sum = 0.0;
    for (var col = lane; col < size.n_cols; col += WIDTH) {
        sum += exp(x[first + col] - shift);
    }
    part[lane] = sum;
    workgroupBarrier();
    for (var width = WIDTH / 2u; width > 0u; width /= 2u) {
        if lane < width {
            part[lane] += part[lane + width];
        }
        workgroupBarrier();
    }
    let total = part[0];

    for (var col = lane; col < size.n_cols; col += WIDTH) {
        y[first + col] = exp(x[first + col] - shift) / total;
    }
}
