// Convolution, the readable version:
//   y[image, group, row, p] = sum over channel, k of weight[group, row, channel, k] * x[image, group, channel, place]
//   with place = origin + p * per_position + k * per_tap on both axes, and zero outside the image.
// One invocation per result, neighbouring positions side by side. Kept for small convolutions, for those with few
// channels in a group, and as the kernel to learn from; conv_shared reads each operand far less often.
// params: n_results, m, n_groups, n_channels, n_positions, positions_x, and origin, per_position, per_tap, taps, size for
//   _y and _x
// needs: x_at(image, channel, y, x), weight_at(group, row, channel, tap_y, tap_x), y_column(column), y(i, result) (generated)
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = id.x + id.y * groups.x * 256u;
    if at < params.n_results {
        let position = at % params.n_positions;
        let plane = at / params.n_positions;
        let row = plane % params.m;
        let group = (plane / params.m) % params.n_groups;
        let image = plane / (params.m * params.n_groups);
        // Places before the image wrap around and are too large.
        let first_y = params.origin_y + (position / params.positions_x) * params.per_position_y;
        let first_x = params.origin_x + (position % params.positions_x) * params.per_position_x;
        var sum = num_of(0.0);
        for (var tap_y = 0u; tap_y < params.taps_y; tap_y++) {
            let place_y = first_y + tap_y * params.per_tap_y;
            if place_y >= params.size_y {
                continue;
            }
            for (var tap_x = 0u; tap_x < params.taps_x; tap_x++) {
                let place_x = first_x + tap_x * params.per_tap_x;
                if place_x >= params.size_x {
                    continue;
                }
                for (var channel = 0u; channel < params.n_channels; channel++) {
                    let element = x_at(image, group * params.n_channels + channel, place_y, place_x);
                    sum = num_add(sum, num_mul(weight_at(group, row, channel, tap_y, tap_x), element));
                }
            }
        }
        let column = image * params.n_positions + position;
        y(y_column(column) + (group * params.m + row) * params.y_row, sum);
    }
}
