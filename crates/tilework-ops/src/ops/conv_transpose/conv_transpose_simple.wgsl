// Transposed convolution, the readable version:
//   y[n, o, q] = sum over c, k, p with p * stride + k * dilation - low = q of weight[c, o, k] * x[n, c, p]   (on both axes)
// x: [n, c_in, from_y, from_x], weight: [c_in, n_rows, kernel_y, kernel_x], y: [n, n_groups * n_rows, to_y, to_x].
// One invocation per element of y looks at every tap and takes those that reach it from a whole position of x.
// params: n_results, n_rows, n_channels, n_groups, and from, to, kernel, stride, dilation, low for _y and _x
// needs: x_at(image, channel, y, x), weight_at(group, row, channel, tap_y, tap_x), y(i, result) (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at < params.n_results {
        let to_x = at % params.to_x;
        let to_y = (at / params.to_x) % params.to_y;
        let plane = at / (params.to_x * params.to_y);
        let row = plane % params.n_rows;
        let group = (plane / params.n_rows) % params.n_groups;
        let image = plane / (params.n_rows * params.n_groups);
        var sum = num_of(0.0);
        for (var tap_y = 0u; tap_y < params.kernel_y; tap_y++) {
            // A position before the first wraps around and is too large.
            let moved_y = to_y + params.low_y - tap_y * params.dilation_y;
            let y_at = moved_y / params.stride_y;
            if moved_y % params.stride_y != 0u || y_at >= params.from_y || moved_y > 0x7fffffffu {
                continue;
            }
            for (var tap_x = 0u; tap_x < params.kernel_x; tap_x++) {
                let moved_x = to_x + params.low_x - tap_x * params.dilation_x;
                let x_position = moved_x / params.stride_x;
                if moved_x % params.stride_x != 0u || x_position >= params.from_x || moved_x > 0x7fffffffu {
                    continue;
                }
                for (var channel = 0u; channel < params.n_channels; channel++) {
                    let c = group * params.n_channels + channel;
                    let product = num_mul(weight_at(group, row, channel, tap_y, tap_x), x_at(image, c, y_at, x_position));
                    sum = num_add(sum, product);
                }
            }
        }
        y(at, sum);
    }
}
