// The way back from a maximum:  y[plane, p] = sum of x[plane, q] over all windows q whose maximum was at p
// x and places: [planes, to_y, to_x], y: [planes, from_y, from_x]. One invocation per element of y looks, tap by tap, at the windows
// that contain it, in order: no atomics, and the same bits on every run.
// params: n_results, and from, to, size, kernel, stride, dilation, low for _y and _x
// needs: x(i), place_at(i), y(i, result) (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at < params.n_results {
        let area = params.from_y * params.from_x;
        let place = at % area;
        let plane = (at / area) * params.to_y * params.to_x;
        var sum = num_of(0.0);
        // The last tap belongs to the first window.
        for (var tap_y = params.kernel_y; tap_y > 0u; tap_y--) {
            // A window before the first one wraps around and is too large.
            let moved_y = place / params.from_x + params.low_y - (tap_y - 1u) * params.dilation_y;
            let window_y = moved_y / params.stride_y;
            if moved_y % params.stride_y != 0u || window_y >= params.to_y || moved_y > 0x7fffffffu {
                continue;
            }
            for (var tap_x = params.kernel_x; tap_x > 0u; tap_x--) {
                let moved_x = place % params.from_x + params.low_x - (tap_x - 1u) * params.dilation_x;
                let window_x = moved_x / params.stride_x;
                if moved_x % params.stride_x != 0u || window_x >= params.to_x || moved_x > 0x7fffffffu {
                    continue;
                }
                let window = plane + window_y * params.to_x + window_x;
                if place_at(window) == i32(place) {
                    sum = num_add(sum, x(window));
                }
            }
        }
        y(at, sum);
    }
}
