// Weights of a convolution by their coordinates; strides may be negative, sums wrap around.
// params: weight_start, weight_group, weight_row, weight_channel, weight_y, weight_x
// needs: weight_element(i) (generated)
fn weight_at(group: u32, row: u32, channel: u32, tap_y: u32, tap_x: u32) -> Num {
    let plane = params.weight_start + group * params.weight_group + row * params.weight_row;
    return weight_element(plane + channel * params.weight_channel + tap_y * params.weight_y + tap_x * params.weight_x);
}
