// Maximum, mean or place of the maximum of every window:
//   y[plane, q] = of the x[plane, q * stride + k * dilation - low] inside the plane, over all k  (on both axes)
// x: [planes, from_y, from_x], y: [planes, to_y, to_x]. One invocation per element of y reads its window in order.
// params: n_results, and from, to, size, kernel, stride, dilation, low for _y and _x
// needs: x(i), y(i, result), of_window(window) (generated)
struct Window {
    max: Num,
    // Of the first maximum in its plane; -1 for none.
    place: i32,
    sum: Num,
    n_inside: u32,
}

fn is_larger(a: Num, b: Num) -> bool {
    return !num_is_nan(b) && (num_is_nan(a) || num_gt(a, b));
}

fn with_element(window: Window, element: Num, place: u32) -> Window {
    let is_first = window.n_inside == 0u;
    let wins = is_first || is_larger(element, window.max);
    return Window(
        select(window.max, element, wins),
        select(window.place, i32(place), wins),
        num_add(window.sum, element),
        window.n_inside + 1u,
    );
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at < params.n_results {
        // Places before the plane wrap around and are too large.
        let first_x = (at % params.to_x) * params.stride_x - params.low_x;
        let first_y = ((at / params.to_x) % params.to_y) * params.stride_y - params.low_y;
        let plane = (at / (params.to_x * params.to_y)) * params.size_y * params.size_x;
        var window = Window(num_of(f32_bits(0xff800000u)), -1, num_of(0.0), 0u);
        for (var tap_y = 0u; tap_y < params.kernel_y; tap_y++) {
            let place_y = first_y + tap_y * params.dilation_y;
            if place_y >= params.size_y {
                continue;
            }
            for (var tap_x = 0u; tap_x < params.kernel_x; tap_x++) {
                let place_x = first_x + tap_x * params.dilation_x;
                if place_x < params.size_x {
                    let place = place_y * params.size_x + place_x;
                    window = with_element(window, x(plane + place), place);
                }
            }
        }
        y(at, of_window(window));
    }
}
